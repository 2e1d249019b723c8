//go:build unix

package external

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gaplab/gaplab/solvers"
)

// TestEnded checks that a program ends with the run even if it ignores signals, and that its child processes end too.
func TestEnded(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	child := filepath.Join(t.TempDir(), "child")
	p, err := newProgram(ctx, ignoring(child), nil, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	go func() {
		for pidIn(child) == 0 {
			time.Sleep(time.Millisecond)
		}
		cancel(stopped)
	}()
	if _, _, err := p.run(); !errors.Is(err, stopped) {
		t.Errorf("the error of the stopped program is %v, want the context's cause", err)
	}
	for alive(pidIn(child)) { // if the child never ends, the time limit of the test ends this loop
		time.Sleep(time.Millisecond)
	}
	if _, _, err := p.run(); !errors.Is(err, stopped) {
		t.Errorf("the error of a start after the end is %v, want the context's cause", err)
	}
}

// TestBudget checks that the solver ends a program when the time budget of the run is used up, even if the program only
// waits.
func TestBudget(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test waits")
	}
	env := solvers.Env{Left: func() (time.Duration, bool) { return 10 * time.Millisecond, true }}
	ctx, cancel := env.Within()
	defer cancel()
	p, err := newProgram(ctx, ignoring(filepath.Join(t.TempDir(), "child")), nil, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if _, _, err := p.run(); !errors.Is(err, solvers.ErrBudget) {
		t.Errorf("the error is %v, want ErrBudget", err)
	}
}

// ignoring returns a program that starts a child process, writes the child's process id to a file, and waits for the
// child. It ignores signals.
func ignoring(file string) []string {
	return []string{"sh", "-c", `trap '' TERM; sleep 600 & echo $! > ` + file + `; while :; do wait; done`}
}

// alive reports whether a process exists and has not ended. On a system without /proc, a process that has ended counts
// as alive until the process init has collected its exit status.
func alive(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == nil && !strings.Contains(string(stat), ") Z ")
}

// pidIn returns the process id in a file, or 0 if the file does not contain one yet.
func pidIn(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}
