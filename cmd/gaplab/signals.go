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

// interrupt is the cause of a context that a signal has ended.
type interrupt struct{ os.Signal }

// Error returns the reason that is recorded in the results of interrupted runs.
func (interrupt) Error() string { return "interrupted" }

// errTimeLimit is the cause of a context that has ended because the time limit of a job is near.
var errTimeLimit = errors.New("interrupted at the time limit")

// interruptible returns a context that ends at the first interrupt. Runs then stop at their next row, and their results
// can be read later. A second interrupt ends the program. args is the command line.
func interruptible(parent context.Context, w *os.File, args []string) context.Context {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		signal := <-signals
		if term.IsTerminal(w) {
			fmt.Fprintln(w) // ends the live line
		}
		fmt.Fprintf(w, "gaplab: %s; press Ctrl-C again to stop at once\n", stopping(args))
		cancel(interrupt{signal})
		<-signals
		time.Sleep(time.Second) // in this time, programs that solvers have started can end
		os.Exit(term.ExitInterrupted)
	}()
	return ctx
}

// stopping returns a text that states when a command stops after an interrupt.
func stopping(args []string) string {
	if len(args) == 0 {
		return "stopping"
	}
	switch args[0] {
	case "serve":
		return "stopping after the requests in progress"
	case "run", "reproduce", "train", "task", "check", "baseline":
		return "stopping at the next row"
	}
	return "stopping"
}

// untilTimeLimit returns a context that ends with the cause errTimeLimit when the program receives one of the signals
// limitSignals. A queue sends this signal when the time of a job is nearly over.
func untilTimeLimit(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, limitSignals()...)
	go func() {
		select {
		case <-signals:
			cancel(errTimeLimit)
		case <-ctx.Done():
		}
	}()
	return ctx, func() { signal.Stop(signals); cancel(nil) }
}
