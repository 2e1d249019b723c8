package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness/cluster/slurm/slurmtest"
	"github.com/gaplab/gaplab/harness/trace"
)

// clusters is the flag that enables the tests which take minutes.
var clusters = flag.Bool("clusters", false, "also run the tests that take minutes: faults of a Slurm, and an image")

// eightSpec is an experiment with eight runs that take some seconds each, by a solver that saves checkpoints.
const eightSpec = `apiVersion: gaplab/v1
id: my/state
dataset: {name: digits, train: 1000, validation: 50}
model: {name: multiclass, loss: log}
regularisation: {convention: eg, C: [10, 1]}
repeat: {seeds: [1, 2, 3, 4]}
solvers: [{name: eg, eta: 0.5}]
stop: {passes: 4000}
record: {every: {passes: 20}}
`

// trialCampaign is a Slurm cluster for a test, with a campaign whose tasks are running.
type trialCampaign struct {
	*testing.T
	*slurmtest.Cluster
	dir string
}

// begunCampaign submits a spec, and waits until the given number of runs have saved a checkpoint.
func begunCampaign(t *testing.T, spec string, checkpoints int, args ...string) *trialCampaign {
	t.Helper()
	g := &trialCampaign{t, slurmtest.Start(t), folderWith(t, "spec.yaml", spec)}
	args = append([]string{"run", "spec.yaml", "--launcher", "slurm", "--save-every", "200ms"}, args...)
	g.gaplab(term.ExitFine, args...)
	g.Wait("checkpoints of runs", func() bool { return len(g.states()) >= checkpoints })
	return g
}

func (g *trialCampaign) states() []string {
	files, _ := filepath.Glob(filepath.Join(g.dir, "results/runs/my/state/own/*.state"))
	return files
}

// gaplab runs a command and returns its output. It fails the test if the exit code differs from exit.
func (g *trialCampaign) gaplab(exit int, args ...string) string {
	g.Helper()
	code, stdout, stderr := onSlurm(g.T, g.Cluster, g.dir, args...)
	if code != exit {
		g.Fatalf("gaplab %q: exit code %d, want %d\n%s%s%s\n%s", args, code, exit, stdout, stderr, g.Say("squeue"), g.Log())
	}
	return stdout + stderr
}

// ended waits until the campaign has ended, and collects its results. It checks that they equal the results of one
// process, so that no run is lost and none exists twice. It returns how often runs were resumed.
func (g *trialCampaign) ended(spec string, exit int) (resumed int) {
	g.Helper()
	for until := time.Now().Add(20 * time.Minute); ; time.Sleep(time.Second) {
		_, stdout, _ := onSlurm(g.T, g.Cluster, g.dir, "status")
		if regexp.MustCompile(`(?m)^tasks   \d+ (done|failed|lost)(, \d+ (failed|lost))*$`).MatchString(stdout) {
			break
		}
		if strings.Contains(stdout, " held") || strings.Contains(g.Say("sinfo", "-h", "-o", "%T"), "drain") {
			g.repaired()
		}
		if time.Now().After(until) {
			g.Fatalf("the campaign does not end:\n%s%s\n%s", stdout, g.Say("squeue"), g.Log())
		}
	}
	g.gaplab(exit, "collect")
	if exit != term.ExitFine {
		return 0
	}
	alone := folderWith(g.T, "spec.yaml", spec)
	succeeds(g.T, alone, "run", "spec.yaml")
	results := filepath.Join(g.dir, "results/runs/my/state/own")
	g.settle()
	sameRuns(g.T, results, filepath.Join(alone, "results/runs/my/state/own"))
	files, err := trace.ReadDir(results)
	if err != nil {
		g.Fatal(err)
	}
	for _, f := range files {
		resumed += f.End.Resumed
	}
	for _, pattern := range []string{"*.part.jsonl", "*.state"} {
		if left, _ := filepath.Glob(filepath.Join(results, pattern)); len(left) > 0 {
			g.Errorf("temporary files that are left: %q", left)
		}
	}
	return resumed
}

// settle waits until no task of the campaign runs on any node. A task can still run after the Slurm controller has
// given up its job.
func (g *trialCampaign) settle() {
	g.Wait("end of all tasks", func() bool { return len(slurmtest.Left(g.dir)) == 0 })
}

// idle waits until the queue is empty.
func idle(c *slurmtest.Cluster) {
	c.Wait("empty queue", func() bool { return strings.TrimSpace(c.Say("squeue", "-h")) == "" })
}

func minutes(t *testing.T) {
	t.Helper()
	if !*clusters {
		t.Skip("this test takes minutes; to run it: go test ./cmd/gaplab -args -clusters")
	}
}

// TestSlurmNodeKilled checks what happens if the Slurm daemon of a node is killed: the jobs of the node must be queued
// again, although they still run there.
func TestSlurmNodeKilled(t *testing.T) {
	minutes(t)
	g := begunCampaign(t, eightSpec, 4)
	g.KillNode("n1")
	g.Wait("dead node", func() bool {
		return strings.Contains(g.Say("sinfo", "-h", "-N", "-n", "n1", "-o", "%T"), "down")
	})
	g.StartNode("n1")
	g.ended(eightSpec, term.ExitFine)
}

// TestSlurmNodeDown checks what happens if a node is set to the state down: its jobs must be ended, queued again and
// resumed.
func TestSlurmNodeDown(t *testing.T) {
	minutes(t)
	g := begunCampaign(t, eightSpec, 4)
	g.Do("scontrol", "update", "nodename=n1", "state=down", "reason=test")
	time.Sleep(2 * time.Second)
	g.Say("scontrol", "update", "nodename=n1", "state=resume") // the command fails if the node is already up
	if resumed := g.ended(eightSpec, term.ExitFine); resumed == 0 {
		t.Error("no run was resumed")
	}
}

// TestSlurmControllerKilled checks that jobs continue while the Slurm controller is not running, and after it was
// restarted.
func TestSlurmControllerKilled(t *testing.T) {
	minutes(t)
	g := begunCampaign(t, eightSpec, 4)
	// Without its state on disk, a restarted controller would lose the jobs.
	g.Wait("state of the controller", func() bool {
		_, err := os.Stat(filepath.Join(g.Dir, "state", "job_state"))
		return err == nil
	})
	g.KillController()
	if said := g.gaplab(term.ExitFine, "status"); !strings.Contains(said, "the queue did not answer") {
		t.Errorf("status without a controller:\n%s", said)
	}
	g.StartController()
	g.ended(eightSpec, term.ExitFine)
}

// TestSlurmTimeLimit checks that a run which takes longer than the time limit of its job is resumed by further jobs.
func TestSlurmTimeLimit(t *testing.T) {
	minutes(t)
	spec := strings.NewReplacer("[10, 1]", "1", "[1, 2, 3, 4]", "[1]", "4000", "120000").Replace(eightSpec)
	g := begunCampaign(t, spec, 1, "--slurm-arg=--time=1", "--slurm-arg=--signal=B:USR1@45")
	if resumed := g.ended(spec, term.ExitFine); resumed < 2 {
		t.Errorf("resumptions of the run = %d, want at least 2", resumed)
	}
}

// TestSlurmCancel checks that the next campaign resumes the checkpoints of a cancelled one.
func TestSlurmCancel(t *testing.T) {
	minutes(t)
	g := begunCampaign(t, eightSpec, 4)
	g.gaplab(term.ExitFine, "cancel")
	idle(g.Cluster)
	g.settle()
	if len(g.states()) == 0 {
		t.Error("no checkpoint was saved")
	}
	if said := g.gaplab(term.ExitFine, "status"); !regexp.MustCompile(`tasks   .*[0-9] lost`).MatchString(said) {
		t.Errorf("status after cancel:\n%s", said)
	}
	g.gaplab(term.ExitMissing, "collect")
	g.gaplab(term.ExitFine, "run", "spec.yaml", "--launcher", "slurm", "--save-every", "200ms")
	if resumed := g.ended(eightSpec, term.ExitFine); resumed == 0 {
		t.Error("no run was resumed")
	}
}

// TestSlurmTwoUsers checks that two campaigns with the same runs, submitted at the same time, make each run only once.
func TestSlurmTwoUsers(t *testing.T) {
	minutes(t)
	g := &trialCampaign{t, slurmtest.Start(t), folderWith(t, "spec.yaml", eightSpec)}
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			code, stdout, stderr := onSlurm(t, g.Cluster, g.dir, "run", "spec.yaml", "--launcher", "slurm", "--wait")
			if code != term.ExitFine || !strings.Contains(stdout, "tasks   8, for 8 runs") {
				t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
			}
		})
	}
	both.Wait()
	g.ended(eightSpec, term.ExitFine)
	logs, _ := filepath.Glob(filepath.Join(g.dir, "results/runs/.grids/*/log/*"))
	made := 0
	for _, log := range logs {
		text, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		made += strings.Count(string(text), ": started\n")
	}
	if len(logs) != 16 || made != 8 {
		t.Errorf("runs started = %d, jobs = %d; want 8, 16", made, len(logs))
	}
}

// TestSlurmEverything checks that all experiments at smoke scale have the same results on Slurm as in one process,
// while nodes and the controller are killed and restarted. If a task is lost, the same command makes the remaining
// runs.
func TestSlurmEverything(t *testing.T) {
	minutes(t)
	g := &trialCampaign{t, slurmtest.Start(t), t.TempDir()}
	alone := t.TempDir()
	var papers []string
	for _, p := range experiments.Papers() {
		papers = append(papers, p.Key)
	}
	args := append([]string{"run", "--scale", "smoke"}, papers...)
	over := make(chan struct{})
	var faults sync.WaitGroup
	faults.Go(func() { g.faults(over) })
	code, stderr, tries := term.ExitMissing, "", 0
	for ; (code == term.ExitMissing || strings.Contains(stderr, "gaplab: sbatch: ")) && tries < 5; tries++ {
		code, _, stderr = onSlurm(t, g.Cluster, g.dir, append(args, "--launcher", "slurm", "--runs-per-task", "20", "--wait",
			"--slurm-arg=--time=60")...)
	}
	close(over)
	faults.Wait()
	said, err := command(alone, args...).CombinedOutput()
	if want := exitOf(err); code != want {
		t.Errorf("exit code on Slurm = %d, in one process = %d\n%s\n%s", code, want, stderr, said)
	}
	compared := 0
	folders, err := filepath.Glob(filepath.Join(alone, "results/runs/*/*/smoke"))
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		name, err := filepath.Rel(alone, folder)
		if err != nil {
			t.Fatal(err)
		}
		sameRuns(t, filepath.Join(g.dir, name), folder)
		files, _ := filepath.Glob(filepath.Join(folder, "*.jsonl"))
		compared += len(files)
	}
	t.Logf("%d results of %d experiments, by %d campaigns", compared, len(folders), tries)
	if compared < 2000 {
		t.Errorf("compared results = %d, want at least 2000", compared)
	}
}

// faults causes a fault about once a minute until the channel over is closed. Three faults take turns: it kills a node,
// sets the other node to the state down, and kills the controller. It repairs each fault before the next one, so that
// at the end everything runs.
func (g *trialCampaign) faults(over chan struct{}) {
	wait := func(d time.Duration) bool {
		select {
		case <-over:
			return false
		case <-time.After(d):
			return true
		}
	}
	for many := 1; ; many++ {
		for _, f := range []struct{ breaks, repairs func() }{
			{func() { g.KillNode("n1") }, func() { g.StartNode("n1") }},
			{func() { g.Say("scontrol", "update", "nodename=n2", "state=down", "reason=test") }, func() {}},
			{g.KillController, g.StartController},
		} {
			if !wait(20 * time.Second) {
				g.Logf("%d rounds of faults", many)
				return
			}
			f.breaks()
			wait(15 * time.Second)
			f.repairs()
			g.repaired()
		}
	}
}

// repaired resumes nodes that are down or drained, and releases held jobs, as an administrator would.
func (g *trialCampaign) repaired() {
	g.Say("scontrol", "update", "nodename=n[1-2]", "state=resume")
	for id := range strings.FieldsSeq(g.Say("squeue", "-h", "-t", "pending", "-o", "%F")) {
		g.Say("scontrol", "release", id)
	}
}

// exitOf returns the exit code of a command, given the error of running it.
func exitOf(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return term.ExitFine
}

// TestSlurmThousand checks that a campaign of a thousand very short runs ends with all results. It logs how long the
// campaign takes beside a thousand empty jobs of Slurm; on an idle machine, the difference is less than a minute.
func TestSlurmThousand(t *testing.T) {
	minutes(t)
	var seeds []string
	for i := range 250 {
		seeds = append(seeds, fmt.Sprint(i+1))
	}
	spec, _, _ := strings.Cut(fortySpec, "claims:")
	spec = strings.NewReplacer("1, 2, 3, 4, 5, 6, 7, 8, 9, 10", strings.Join(seeds, ", "), "passes: 5",
		"passes: 1").Replace(spec)
	g := &trialCampaign{t, slurmtest.Start(t), folderWith(t, "spec.yaml", spec)}
	g.Patience = 10 * time.Minute
	begun := time.Now()
	g.Do("sbatch", "--array=0-999", "--output=/dev/null", "--wrap=true")
	idle(g.Cluster)
	own := time.Since(begun)
	begun = time.Now()
	g.gaplab(term.ExitFine, "run", "spec.yaml", "--launcher", "slurm")
	submitted := time.Since(begun)
	idle(g.Cluster)
	ended := time.Since(begun)
	g.gaplab(term.ExitFine, "collect")
	collected := time.Since(begun)
	t.Logf("submitted in %v, ended after %v, of which Slurm itself needs %v, collected after %v", submitted, ended, own,
		collected)
	results, err := trace.ReadDir(filepath.Join(g.dir, "results/runs/my/forty/own"))
	if err != nil || len(results) != 1000 {
		t.Errorf("the campaign has %d results (%v), want 1000", len(results), err)
	}
}
