package main

import "os"

// limitSignals returns a signal that never comes: Windows has no queues that send one, and without any signal,
// signal.Notify would take all.
func limitSignals() []os.Signal { return []os.Signal{noSignal{}} }

// noSignal is a signal that nothing sends.
type noSignal struct{}

func (noSignal) String() string { return "none" }
func (noSignal) Signal()        {}
