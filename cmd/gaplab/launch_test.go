package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/cluster"
	"github.com/gaplab/gaplab/harness/schedule"
)

// launched returns the launcher of a command line of gaplab run.
func launched(t *testing.T, out *bytes.Buffer, args ...string) *launch {
	t.Helper()
	v := &runFlags{sys: system{out: out, err: out, getenv: func(string) string { return "" }}}
	l := &launch{runFlags: v}
	cmd := v.command()
	l.addTo(cmd)
	if err := cmd.ParseFlags(args); err != nil {
		t.Fatal(err)
	}
	return l
}

// TestLaunchFlags checks which flags need which launcher, which numbers are accepted, and the command of a job.
func TestLaunchFlags(t *testing.T) {
	for line, want := range map[string]string{
		"--launcher none": "", "--launcher slurm": "", "--launcher none --runs-per-task 1": "",
		"--launcher slurm --slurm-array 0": "", "--launcher slurm --slurm-array 1 --slurm-arg x --wait": "",
		"--launcher slurm --force":            "--force needs --launcher local",
		"--launcher none --runs-per-task 0":   "--runs-per-task 0 is out of range",
		"--launcher slurm --runs-per-task -1": "--runs-per-task -1 is out of range",
		"--launcher slurm --slurm-array -1":   "--slurm-array -1 is out of range",
		"--launcher none --slurm-array 0":     "need --launcher slurm",
		"--launcher none --slurm-arg x":       "need --launcher slurm",
		"--launcher none --wait":              "need --launcher slurm",
	} {
		err := launched(t, nil, strings.Fields(line)...).check()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", line, err, want)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for line, more := range map[string]string{"": "1", "-j 3": "3", "-j 1 --offline": "1 --offline",
		"--programs": "1 --programs", "--programs -j 2 --offline": "2 --offline --programs"} {
		got, err := launched(t, nil, strings.Fields(line)...).taskCommand(&cluster.Campaign{Dir: "/runs/my folder"})
		want := slices.Concat([]string{program, "task", "/runs/my folder", "-j"}, strings.Fields(more))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the command of a job is %q, %v; want %q", line, got, err, want)
		}
	}
}

// TestCampaignAsPrinted checks what gaplab run --launcher prints of a campaign of several experiments, some of whose
// runs had finished before: its folder, its size, and the order of its arrays.
func TestCampaignAsPrinted(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	g := &cluster.Campaign{Dir: filepath.Join(dir, "runs", ".grids", "g"),
		Specs: []cluster.Spec{{Runs: 5, Done: 2}, {Runs: 3}, {Runs: 4, Done: 4}},
		Tasks: []cluster.Task{{Seconds: 61}, {Seconds: 2.4}, {}, {Seconds: 100}},
		Arrays: []cluster.Array{{First: 0, Count: 2}, {First: 2, Count: 1, After: []int{0}, Alone: true},
			{First: 3, Count: 1, After: []int{0, 1}}}}
	var out bytes.Buffer
	l := launched(t, &out)
	l.printCampaign(g)
	l.printArrays(g)
	const want = `folder  runs/.grids/g
tasks   4, for 6 runs; 6 had finished before; about 2m43s of work
array   0: tasks 0 to 1
array   1: tasks 2 to 2, after array 0, each alone on its machine
array   2: tasks 3 to 3, after array 0 1
task    gaplab task runs/.grids/g N
`
	if got := filepath.ToSlash(out.String()); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	for seconds, want := range map[float64]string{0: "", 0.4: "", 0.5: "; about 1s of work",
		3600: "; about 1h0m0s of work"} {
		out.Reset()
		l.printCampaign(&cluster.Campaign{Dir: filepath.Join(filepath.Dir(dir), "other"),
			Specs: []cluster.Spec{{Runs: 1}}, Tasks: []cluster.Task{{Seconds: seconds}}})
		got := out.String()
		want = "folder  " + filepath.Join(filepath.Dir(dir), "other") + "\ntasks   1, for 1 run" + want + "\n"
		if got != want {
			t.Errorf("%v s: got\n%swant\n%s", seconds, got, want)
		}
	}
}

// TestStatusAsPrinted checks the status of a campaign: the number of tasks in each state, the runs of tasks without a
// result, and that only these are listed, at most twenty.
func TestStatusAsPrinted(t *testing.T) {
	part := func(spec int, names ...string) cluster.Shard {
		s := cluster.Shard{Spec: spec}
		for _, name := range names {
			s.Runs = append(s.Runs, schedule.ShardRun{Name: name})
		}
		return s
	}
	g := &cluster.Campaign{ID: "g", Dir: t.TempDir(), Specs: []cluster.Spec{{ID: "my/a"}, {ID: "my/b"}}}
	s := &cluster.Status{Runs: 99, Finished: 7}
	add := func(phase cluster.Phase, parts ...cluster.Shard) {
		g.Tasks = append(g.Tasks, cluster.Task{Shards: parts})
		s.Tasks = append(s.Tasks, phase)
	}
	add(cluster.Done, part(0, "C=1"))
	add(cluster.Lost, part(1, "C=2"))
	add(cluster.Running, part(0, "C=3"))
	add(cluster.Held, part(1, "C=4", "C=5"))
	add(cluster.Failed, part(0, "C=6"), part(1, "C=7", "C=8"))
	add(cluster.Queued, part(0, "C=9"))
	add(cluster.Done, part(0, "C=10"))
	p := progressOf(g, s)
	var got []string
	for _, e := range p.Ended {
		got = append(got, fmt.Sprint(e.Task, " ", e.State, " ", e.Runs))
	}
	want := []string{"1 lost my/b: C=2", "3 held my/b: C=4 and 1 more", "4 failed my/a: C=6 and 2 more"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("tasks without a result differ (-want +got):\n%s", diff)
	}
	if got := counts(p.Tasks); got != "2 done, 1 running, 1 queued, 1 held, 1 failed, 1 lost" || p.ID != "g" ||
		p.Folder != g.Dir || p.Runs != 99 || p.Finished != 7 {
		t.Errorf("tasks %s; %+v", got, p)
	}
	for _, n := range []int{0, 1, 20, 21, 25} {
		list := campaignStatus{ID: "g", Folder: "f", Runs: 30, Finished: 4, Tasks: map[cluster.Phase]int{cluster.Failed: n}}
		for i := range n {
			list.Ended = append(list.Ended, endedTask{i, cluster.Failed, fmt.Sprint("run ", i), "no memory\nstack"})
		}
		var out bytes.Buffer
		if err := printStatus(system{out: &out, getenv: func(string) string { return "" }}, list); err != nil {
			t.Fatal(err)
		}
		text := out.String()
		rows, says := strings.Count(text, "no memory\n"), strings.Contains(text, fmt.Sprintf("  and %d more; ", n-20))
		if rows != min(n, 20) || says != (n > 20) || !strings.Contains(text, "runs    4 of 30 have a result\n") ||
			strings.Contains(text, "task  state") != (n > 0) {
			t.Errorf("%d tasks without a result: %d are listed:\n%s", n, rows, text)
		}
	}
}

// TestResultsOfCampaign checks in which folder the results of a campaign are looked for.
func TestResultsOfCampaign(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for folder, want := range map[string]string{"results/runs": "", "other": "other", "results": "results",
		"results/runs/more": "results/runs/more"} {
		g := &cluster.Campaign{Dir: filepath.Join(here, filepath.FromSlash(folder), ".grids", "g")}
		if got := selectionOf(g); got.out != filepath.FromSlash(want) || got.part {
			t.Errorf("campaign in %s: results in %q, want %q", folder, got.out, want)
		}
	}
}
