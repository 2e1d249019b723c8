//go:build js

// Command wasm is the playground's part that runs in a Web Worker of the browser. It sets the global object gaplab with
// these functions, which the file worker.js calls:
//
//	start(descriptions)        prepares the session; descriptions is a JSON object, or ""
//	check(text)                returns a session.Report as JSON
//	complete(text, at)         returns a session.Completion as JSON; at is an offset in bytes
//	run(text, known, on, end)  starts the runs of a spec; known is true if it has no faults for certain; on gets lists of
//	                           session.Step as JSON, end an error or ""
//	stop()                     stops the runs
package main

import (
	"encoding/json"
	"sync"
	"syscall/js"

	"github.com/gaplab/gaplab/site/playground/session"
)

// folder is the folder of the user's files in the file system of the worker (files.js).
const folder = "/work"

func main() {
	w := &worker{}
	js.Global().Set("gaplab", js.ValueOf(map[string]any{
		"start":    function(w.start),
		"check":    function(w.check),
		"complete": function(w.complete),
		"run":      function(w.run),
		"stop":     function(w.halt),
	}))
	js.Global().Call("ready")
	select {} // the functions are called until the worker is terminated
}

// function makes a JavaScript function of f.
func function(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
}

// worker holds the session and the function that stops its runs.
type worker struct {
	session *session.Session
	stop    func()
}

// start prepares the session. It returns an error, or "".
func (w *worker) start(args []js.Value) any {
	text := args[0].String()
	all := sync.OnceValue(func() map[string]string { // only when a message or a completion needs them
		var all map[string]string
		if text != "" {
			if err := json.Unmarshal([]byte(text), &all); err != nil {
				panic("wasm: descriptions.json: " + err.Error()) // impossible: the build of the site writes the file
			}
		}
		return all
	})
	s, err := session.New(folder, func(key string) string { return all()[key] })
	if err != nil {
		return err.Error()
	}
	w.session = s
	return ""
}

func (w *worker) check(args []js.Value) any { return encoded(w.session.Check(args[0].String())) }

func (w *worker) complete(args []js.Value) any {
	return encoded(w.session.Complete(args[0].String(), args[1].Int()))
}

// encoded returns a value as JSON.
func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic("wasm: " + err.Error()) // impossible: the values are finite numbers and texts
	}
	return string(text)
}
