package slurm

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/cluster"
)

// TestStates checks that phases parses Slurm's job states and the reasons why jobs wait, and returns an error for other
// text.
func TestStates(t *testing.T) {
	got, err := phases("7        0     RUNNING   None\n7   12  PENDING (Resources)\n 8 3 COMPLETING None \n" +
		"8 4 REQUEUED None\n\n8 5 PENDING JobHeldUser\n8 6 PENDING launch failed requeued held\n")
	want := map[string]map[int]cluster.Phase{"7": {0: cluster.Running, 12: cluster.Queued},
		"8": {3: cluster.Running, 4: cluster.Queued, 5: cluster.Held, 6: cluster.Held}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("phases = %v, %v, want %v", got, err, want)
	}
	for _, text := range []string{"7 N/A RUNNING\n", "slurm is away\n"} {
		if _, err := phases(text); err == nil || !strings.Contains(err.Error(), "squeue: ") {
			t.Errorf("phases(%q): error %v, want an error about squeue", text, err)
		}
	}
}

// TestQuoted checks that the shell reads a quoted word unchanged.
func TestQuoted(t *testing.T) {
	for _, word := range []string{"a", "a b", "it's", `$HOME "x" \`, "", "''"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quoted(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("the shell reads quoted(%q) as %q, %v, want the word unchanged", word, out, err)
		}
	}
}

// TestHere checks that Here reads the job from Slurm's variables, and returns nil without them.
func TestHere(t *testing.T) {
	env := map[string]string{"SLURM_ARRAY_JOB_ID": "5", "SLURM_ARRAY_TASK_ID": "17", "SLURM_RESTART_COUNT": "2"}
	if got := Here(func(name string) string { return env[name] }); got == nil || *got != (Job{"5", "17", 2}) {
		t.Errorf("Here = %+v, want array 5, index 17, 2 restarts", got)
	}
	if got := Here(func(string) string { return "" }); got != nil {
		t.Errorf("Here without Slurm's variables = %+v, want nil", got)
	}
}

// fake replaces a Slurm command by a script. It returns the path of the file to which the script writes its arguments,
// one per line.
func fake(t *testing.T, name, script string) (asked string) {
	t.Helper()
	dir := t.TempDir()
	asked = filepath.Join(dir, "asked")
	text := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\n' \"$@\" > %s\n%s\n", asked, script)
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	return asked
}

// TestSubmit checks the arguments of sbatch: Submit requests what an array needs, omits what is not known, and puts the
// user's arguments last. It also checks that the errors of sbatch are returned.
func TestSubmit(t *testing.T) {
	asked := fake(t, "sbatch", "echo '17;cluster'")
	q := &Queue{Args: []string{"--partition=long"}}
	for _, c := range []struct {
		a    cluster.Submission
		want string
	}{
		{cluster.Submission{Name: "g", Log: "/l", Command: []string{"/bin/gap lab", "task", "--first", "4"},
			Array: cluster.Array{Count: 40, Workers: 1}},
			"--parsable --job-name=g --array=0-39 --ntasks=1 --cpus-per-task=1 --signal=B:USR1@60 --requeue " +
				"--open-mode=append --output=/l/%A_%a.log --partition=long " +
				"--wrap=exec '/bin/gap lab' 'task' '--first' '4' $SLURM_ARRAY_TASK_ID"},
		{cluster.Submission{Name: "g", Log: "/l", Command: []string{"x"}, AtOnce: 3, AfterJobs: []string{"5", "6"},
			Array: cluster.Array{Count: 1, Workers: 4, Seconds: 3601, Memory: 1<<30 + 1, Alone: true}},
			"--parsable --job-name=g --array=0-0%3 --ntasks=1 --cpus-per-task=4 --signal=B:USR1@60 --requeue " +
				"--open-mode=append --output=/l/%A_%a.log --time=131 --mem=1025M --exclusive " +
				"--dependency=afterany:5:6 --partition=long --wrap=exec 'x' $SLURM_ARRAY_TASK_ID"},
	} {
		job, err := q.Submit(t.Context(), c.a)
		if err != nil || job != "17" {
			t.Errorf("Submit = job %q, %v, want 17", job, err)
		}
		text, err := os.ReadFile(asked)
		if got := strings.Join(strings.Split(strings.TrimSpace(string(text)), "\n"), " "); err != nil || got != c.want {
			t.Errorf("arguments of sbatch =\n%s, %v, want\n%s", got, err, c.want)
		}
	}
	for script, want := range map[string]string{
		"echo Submitted":                       `sbatch printed "Submitted`,
		"echo 'invalid partition' >&2; exit 1": "invalid partition",
	} {
		fake(t, "sbatch", script)
		if _, err := q.Submit(t.Context(), cluster.Submission{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("sbatch as %q: error %v, want %q", script, err, want)
		}
	}
}

// TestQueue checks the use of squeue, scancel and scontrol, their errors, and the error on a machine without Slurm.
func TestQueue(t *testing.T) {
	q := &Queue{}
	asked := fake(t, "squeue", "echo 7 3 RUNNING None")
	got, err := q.Phases(t.Context(), []string{"8", "7"})
	if text, _ := os.ReadFile(asked); err != nil || got["7"][3] != cluster.Running ||
		!strings.Contains(string(text), "--jobs=8,7\n") {
		t.Errorf("Phases = %v, %v, want job 7_3 running; arguments of squeue: %s", got, err, text)
	}
	fake(t, "squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1")
	if got, err := q.Phases(t.Context(), []string{"7"}); err != nil || len(got) > 0 {
		t.Errorf("Phases of jobs that ended long ago = %v, %v, want none", got, err)
	}
	fake(t, "squeue", "echo 'Unable to contact slurm controller' >&2; exit 1")
	if _, err := q.Phases(t.Context(), []string{"7"}); err == nil || !strings.Contains(err.Error(), "Unable to contact") {
		t.Errorf("Phases without a controller: error %v, want the error of squeue", err)
	}
	asked = fake(t, "scancel", "")
	if err := q.Cancel(t.Context(), []string{"8", "7"}); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(asked); string(text) != "8\n7\n" {
		t.Errorf("arguments of scancel = %q, want 8 and 7", text)
	}
	fake(t, "scontrol", "echo 'MaxArrayTasks = 3'; echo 'MaxArraySize            = 1001'")
	if n, err := q.Largest(t.Context()); n != 1001 || err != nil {
		t.Errorf("Largest = %d, %v, want 1001", n, err)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := q.Largest(t.Context()); err == nil || !strings.Contains(err.Error(), "scontrol is not installed here") {
		t.Errorf("Largest without Slurm: error %v, want that scontrol is not installed", err)
	}
}

// TestRunningStates checks which states of a job count as running, and that a held job is held whatever its case.
func TestRunningStates(t *testing.T) {
	for state, want := range map[string]cluster.Phase{"RUNNING": cluster.Running, "COMPLETING": cluster.Running,
		"SUSPENDED": cluster.Running, "STOPPED": cluster.Running, "SIGNALING": cluster.Running, "STAGE_OUT": cluster.Running,
		"PENDING": cluster.Queued, "CONFIGURING": cluster.Queued, "REQUEUED": cluster.Queued} {
		got, err := phases("7 3 " + state + " None\n7 4 PENDING (JOBHELDADMIN)\n")
		if err != nil || got["7"][3] != want || got["7"][4] != cluster.Held || len(got["7"]) != 2 {
			t.Errorf("%s: phases %v, %v; want %s, and another job held", state, got, err, want)
		}
	}
}

// TestRequeue checks the job that Requeue names, and the error of a cluster without a limit on arrays.
func TestRequeue(t *testing.T) {
	asked := fake(t, "scontrol", "echo 'SlurmctldPort = 6817'")
	if err := (&Job{Array: "5", Index: "17", Restarts: 2}).Requeue(t.Context()); err != nil {
		t.Error(err)
	}
	if text, _ := os.ReadFile(asked); string(text) != "requeue\n5_17\n" {
		t.Errorf("arguments of scontrol = %q, want requeue 5_17", text)
	}
	if n, err := (&Queue{}).Largest(t.Context()); err == nil || !strings.Contains(err.Error(), "no MaxArraySize") {
		t.Errorf("Largest = %d, %v, want an error", n, err)
	}
	for _, env := range []map[string]string{{"SLURM_ARRAY_JOB_ID": "5"}, {"SLURM_ARRAY_TASK_ID": "1"}} {
		if got := Here(func(name string) string { return env[name] }); got != nil {
			t.Errorf("Here with %v = %+v, want nil: it is no job of an array", env, got)
		}
	}
	one := map[string]string{"SLURM_ARRAY_JOB_ID": "5", "SLURM_ARRAY_TASK_ID": "0"}
	if got := Here(func(name string) string { return one[name] }); got == nil || *got != (Job{"5", "0", 0}) {
		t.Errorf("Here = %+v, want the first job of array 5", got)
	}
}
