package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

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
