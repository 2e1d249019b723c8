package slurm

import (
	"os/exec"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/grid"
)

func TestStates(t *testing.T) {
	got, err := states("7        0     RUNNING   None\n7   12  PENDING (Resources)\n 8 3 COMPLETING None \n" +
		"8 4 REQUEUED None\n\n8 5 PENDING JobHeldUser\n8 6 PENDING launch failed requeued held\n")
	want := map[string]map[int]grid.State{"7": {0: grid.Running, 12: grid.Queued},
		"8": {3: grid.Running, 4: grid.Queued, 5: grid.Held, 6: grid.Held}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	for _, text := range []string{"7 N/A RUNNING\n", "slurm is away\n"} {
		if _, err := states(text); err == nil || !strings.Contains(err.Error(), "squeue: ") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestQuoted: a word comes through the shell as it is.
func TestQuoted(t *testing.T) {
	for _, word := range []string{"a", "a b", "it's", `$HOME "x" \`, "", "''"} {
		out, err := exec.Command("sh", "-c", "printf %s "+quoted(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q comes as %q: %v", word, out, err)
		}
	}
}

func TestHere(t *testing.T) {
	env := map[string]string{"SLURM_ARRAY_JOB_ID": "5", "SLURM_ARRAY_TASK_ID": "17", "SLURM_RESTART_COUNT": "2"}
	if got := Here(func(name string) string { return env[name] }); got == nil || *got != (Job{"5", "17", 2}) {
		t.Errorf("%+v", got)
	}
	if got := Here(func(string) string { return "" }); got != nil {
		t.Errorf("no job: %+v", got)
	}
}
