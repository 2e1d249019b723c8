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

// TestEnded: a program that ignores signals ends with the run, and so do the processes that it has started.
func TestEnded(t *testing.T) {
	stopped := errors.New("stopped")
	ctx, cancel := context.WithCancelCause(context.Background())
	child := filepath.Join(t.TempDir(), "child")
	p, err := newProgram(ctx, deaf(child), nil, t.TempDir())
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
		t.Errorf("got %v, want the context's cause", err)
	}
	for alive(pidIn(child)) { // the test's own limit ends this
		time.Sleep(time.Millisecond)
	}
	if _, _, err := p.run(); !errors.Is(err, stopped) {
		t.Errorf("started after the end: %v", err)
	}
}

// TestBudget: a program is ended when the run's seconds are spent, whether or not it computes.
func TestBudget(t *testing.T) {
	env := solvers.Env{Left: func() (time.Duration, bool) { return 10 * time.Millisecond, true }}
	ctx, cancel := env.Within()
	defer cancel()
	p, err := newProgram(ctx, deaf(filepath.Join(t.TempDir(), "child")), nil, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer p.close()
	if _, _, err := p.run(); !errors.Is(err, solvers.ErrBudget) {
		t.Errorf("got %v, want ErrBudget", err)
	}
}

// deaf returns a program that starts a child, writes its number to a file, and waits for it whatever signal comes.
func deaf(file string) []string {
	return []string{"sh", "-c", `trap '' TERM; sleep 600 & echo $! > ` + file + `; while :; do wait; done`}
}

// alive reports whether a process is there and has not ended; where there is no /proc, one that init has yet to wait
// for counts as alive.
func alive(pid int) bool {
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return syscall.Kill(pid, 0) == nil && !strings.Contains(string(stat), ") Z ")
}

// pidIn returns the number in a file, 0 if there is none yet.
func pidIn(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	pid, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return pid
}
