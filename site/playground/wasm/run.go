//go:build js

package main

import (
	"context"
	"syscall/js"
	"time"

	"github.com/gaplab/gaplab/site/playground/session"
)

const (
	// sentEvery is the smallest time between two messages with rows.
	sentEvery = 80 * time.Millisecond
	// pause is the time for which the runs pause after such a message, so that the browser can deliver messages to the
	// worker, such as a request to stop. The harness stops its clocks while it records a row, so no run counts the pause.
	pause = time.Millisecond
)

// run starts the runs of a spec.
func (w *worker) run(args []js.Value) any {
	text, known, on, end := args[0].String(), args[1].Bool(), args[2], args[3]
	runs := w.session.Run
	if known {
		runs = w.session.RunKnown
	}
	ctx, stop := context.WithCancel(context.Background())
	w.stop = stop
	go func() {
		defer stop()
		b := &batch{on: on}
		err := runs(ctx, text, b.add)
		b.send()
		if err != nil {
			end.Invoke(err.Error())
		} else {
			end.Invoke("")
		}
	}()
	return nil
}

// halt stops the runs.
func (w *worker) halt([]js.Value) any {
	if w.stop != nil {
		w.stop()
	}
	return nil
}

// batch collects steps, which it sends together.
type batch struct {
	on    js.Value
	steps []session.Step
	sent  time.Time // the zero time before the first message, so the first step is sent at once
}

func (b *batch) add(s session.Step) {
	b.steps = append(b.steps, s)
	if time.Since(b.sent) >= sentEvery {
		b.send()
		time.Sleep(pause)
		b.sent = time.Now()
	}
}

func (b *batch) send() {
	if len(b.steps) > 0 {
		b.on.Invoke(encoded(b.steps))
		b.steps = b.steps[:0]
	}
}
