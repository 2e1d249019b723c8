package schedule

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
	"github.com/gaplab/gaplab/models"
)

// manifest says where the rows of a job come from. lambda is nil where nothing is regularised.
func (x *experiment) manifest(j *job, lambda *float64, task *models.Task, set *datasets.Set) trace.Manifest {
	at, r := provenance(), j.Run
	labels := make(map[string]any, len(r.Labels)+2)
	for k, v := range r.Labels {
		labels[k] = v
	}
	labels["n"] = float64(len(task.Train))
	if lambda != nil && r.Solver.Path == nil {
		labels["lambda"] = *lambda
	}
	m := trace.Manifest{
		Experiment: r.Experiment, Key: j.key, Plan: j.plan, Order: j.order, Scale: r.Scale,
		Labels: labels, Spec: r.Resolved(),
		Revisions: lang.Revisions(x.options.Catalogue.Components(r)), Sources: x.sources(r),
		Data: trace.DataManifest{Name: set.Name, Synthetic: set.Synthetic, Checksum: set.Checksum, Files: set.Files},
		N:    len(task.Train), Validation: len(task.Validation), Dim: task.Dim(),
		Commit: at.commit, Dirty: at.dirty, GoVersion: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Program: x.program(), Command: x.options.Command,
		CPU: at.cpu, Processors: runtime.GOMAXPROCS(0), Workers: x.options.Workers,
		Alone: x.alone || x.options.Workers == 1 && x.options.Shard == nil, Load: machine.Load(), Outside: x.outside(r),
		Start: time.Now().UTC().Format(time.RFC3339), Warnings: task.Warnings,
		Auto: r.Solver.Why,
	}
	if x.alone {
		m.DataCPUSeconds = x.tasks.cost(r).Seconds()
	}
	if filepath.IsAbs(m.Data.Name) { // a user's file: its checksum identifies it, its folder is private
		m.Data.Name = filepath.Base(m.Data.Name)
	}
	return m
}

// outside says whether another program does the work of a run.
func (x *experiment) outside(r lang.Run) bool {
	noun, ok := x.options.Catalogue.Solver(r.Solver)
	return ok && noun.Outside
}

// program is a hash of the program's sources, "" if it does not know them.
func (x *experiment) program() string {
	if x.options.Catalogue.Program == nil {
		return ""
	}
	return x.options.Catalogue.Program()
}

type origin struct {
	commit string
	dirty  bool
	cpu    string
}

// provenance is the program's own revision, from the build if it was stamped, else from git in the source's folder,
// and the processor.
var provenance = sync.OnceValue(func() origin {
	at := origin{cpu: processor()}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				at.commit = s.Value
			case "vcs.modified":
				at.dirty = s.Value == "true"
			}
		}
	}
	if at.commit == "" && there("experiments") && there("harness") { // in a checkout, built without a stamp
		if out, err := exec.Command("git", "rev-parse", "HEAD").Output(); err == nil {
			at.commit = strings.TrimSpace(string(out))
			changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!results").Output()
			at.dirty = err != nil || len(changes) > 0
		}
	}
	return at
})

// Revision is the commit that the program was built from, and whether the sources had changed since. It is empty if
// neither the build nor the working directory says.
func Revision() (commit string, dirty bool) {
	at := provenance()
	return at.commit, at.dirty
}

func processor() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, value, ok := strings.Cut(lines.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func there(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
