package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
)

// interrupt is the cause of a context that a signal ended.
type interrupt struct{ os.Signal }

// Error is also why its runs ended, as their results say.
func (interrupt) Error() string { return "interrupted" }

// errTimeLimit is the cause of a context that ends because the time of a job does.
var errTimeLimit = errors.New("interrupted at the time limit")

// interruptible returns a context that the first interrupt ends, so that runs stop at their next record and stay
// readable. The second one ends the program.
func interruptible(parent context.Context, w *os.File) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		signal := <-signals
		if term.IsTerminal(w) {
			fmt.Fprintln(w) // below the live line
		}
		fmt.Fprintln(w, "gaplab: stopping at the next record; a second Ctrl-C stops at once")
		cancel(interrupt{signal})
		<-signals
		time.Sleep(time.Second) // for the programs that solvers have started, which are being ended
		os.Exit(term.ExitInterrupted)
	}()
	return ctx
}

// untilTimeLimit returns a context that USR1 ends, by which a queue announces the end of a job's time. Its cause is
// errTimeLimit.
func untilTimeLimit(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGUSR1)
	go func() {
		select {
		case <-signals:
			cancel(errTimeLimit)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
