//go:build linux

package faults

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/solvers"
)

// endless is a spec of a problem on which no solver reaches the optimum, since features are as large as 1e12.
const endless = `apiVersion: gaplab/v1
id: my/endless
dataset: {format: libsvm, path: rows.txt}
model: {name: multiclass, loss: %s}
regularisation: {convention: lambda, lambda: 0.01}
solvers: [{%s}]
record: {every: {epochs: 1, growth: 1.5}}
stop: {passes: 1.0e12}
`

// lossOf returns a loss for classification that a solver with the requirements n supports; ok is false if there is
// none.
func lossOf(n solvers.Needs) (loss string, ok bool) {
	switch {
	case n.Losses == 0 || n.Losses&solvers.Hinge != 0:
		return "hinge", true
	case n.Losses&solvers.Smooth != 0:
		return "log", true
	}
	return "", false
}

// trainers returns the solvers of the catalogue that can train a classifier. Each pair consists of the settings that
// name the solver in a spec, and of a loss.
func trainers() (list [][2]string) {
	for _, e := range harness.Catalogue().Solvers {
		s, ok := e.New().(solvers.Trainer)
		if !ok || e.Outside || e.Name == "given" || s.Needs().Parts > 0 {
			continue
		}
		if loss, ok := lossOf(s.Needs()); ok {
			settings := "name: " + e.Name
			if e.Name == "sgd" || e.Name == "gradient" {
				settings += ", eta0: 0.1"
			}
			list = append(list, [2]string{settings, loss})
		}
	}
	return list
}

// signals returns the faults in which the program receives a signal while a solver works, for every solver.
func signals() []fault {
	rows := "1 1:3e12 2:-1e12\n2 1:1e12 2:4e12\n3 1:-5e12 2:2e12\n1 1:-1e12 2:5e12\n2 1:3e12 2:3e12\n3 2:-2e12\n"
	send := func(s syscall.Signal) func(*gaplab, int) (string, error) {
		return func(g *gaplab, try int) (string, error) {
			list := trainers()
			one := list[try%len(list)]
			g.file("rows.txt", rows)
			g.file("endless.yaml", fmt.Sprintf(endless, one[1], one[0]))
			out := filepath.Join(g.dir, fmt.Sprint("runs", try))
			cmd, cancel := g.command("run", "endless.yaml", "--out", out)
			defer cancel()
			var said bytes.Buffer
			cmd.Stdout, cmd.Stderr = &said, &said
			if err := cmd.Start(); err != nil {
				return "", err
			}
			for begun := time.Now(); time.Since(begun) < 5*time.Second; time.Sleep(20 * time.Millisecond) {
				if found, _ := filepath.Glob(filepath.Join(out, "my", "endless", "own", "*.jsonl")); found != nil {
					break
				}
			}
			time.Sleep(200 * time.Millisecond)
			if err := cmd.Process.Signal(s); err != nil {
				return "", err
			}
			sent := time.Now()
			_ = cmd.Wait()
			took := time.Since(sent)
			// The solver may have stopped before the signal, because of rounding errors.
			ended := bytes.Contains(said.Bytes(), []byte("no further progress"))
			if code := cmd.ProcessState.ExitCode(); code != 130 && !ended || took > 3*time.Second {
				return "", fmt.Errorf("{%s} ended with code %d after %v:\n%s", one[0], code, took, &said)
			}
			return "interrupted, with all rows and an end line; exit code 130", os.RemoveAll(out)
		}
	}
	n := len(trainers())
	return []fault{
		{what: "TERM, while each of the solvers works", few: 1, tries: n, make: send(syscall.SIGTERM)},
		{what: "HUP (the terminal closes), while each of the solvers works", few: 1, tries: n, make: send(syscall.SIGHUP)},
	}
}
