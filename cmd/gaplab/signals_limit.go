//go:build !windows

package main

import (
	"os"
	"syscall"
)

// limitSignals returns the signal by which a queue says that the time of a job is nearly over.
func limitSignals() []os.Signal { return []os.Signal{syscall.SIGUSR1} }
