package origin

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/source"
)

// Here returns the origin of results that this program makes on this machine. The command line is left empty.
func Here(cat lang.Catalogue) trace.Origin {
	o := built()
	o.GoVersion, o.Platform, o.CPU = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH, processor()
	if cat.Program != nil {
		o.Program = cat.Program()
	}
	return o
}

// Changed compares the Go release, the platform and the processor of two origins, because each of them may change the
// computed bits. It describes the first difference, or returns "" if all three are equal.
func Changed(then, now trace.Origin) string {
	for _, c := range []struct{ what, then, now string }{
		{"the Go release", then.GoVersion, now.GoVersion},
		{"the platform", then.Platform, now.Platform},
		{"the processor", then.CPU, now.CPU},
	} {
		if c.then != c.now {
			return fmt.Sprintf("%s was %s, and is now %s", c.what, c.then, c.now)
		}
	}
	return ""
}

// Revision returns the commit from which the program was built, and whether the sources had uncommitted changes. The
// commit is "" if neither the build information has it, nor git in the working directory. The latter counts only if the
// working directory holds the sources that the program was built from.
func Revision() (commit string, dirty bool) {
	o := built()
	return o.Commit, o.Dirty
}

// built returns the commit and whether there were uncommitted changes, from the build information or, in the checkout
// that the program was built from, from git.
var built = sync.OnceValue(func() (o trace.Origin) {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				o.Commit = s.Value
			case "vcs.modified":
				o.Dirty = s.Value == "true"
			}
		}
	}
	if o.Commit == "" && source.Holds(os.DirFS("."), gaplab.Sources) { // for example started by go run
		if out, err := exec.Command("git", "rev-parse", "HEAD").Output(); err == nil {
			o.Commit = strings.TrimSpace(string(out))
			changes, err := exec.Command("git", "status", "--porcelain", "--untracked-files=no", "--", ".", ":!results").Output()
			o.Dirty = err != nil || len(changes) > 0
		}
	}
	return o
})

// processor returns the model name of the processor, or the architecture if the model is not known.
var processor = sync.OnceValue(func() string {
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
})
