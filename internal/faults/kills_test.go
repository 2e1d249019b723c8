//go:build linux

package faults

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness/trace"
)

const grid = `apiVersion: gaplab/v1
id: my/grid
dataset: {name: digits, train: 300, validation: 50}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: [0.1, 0.01, 0.001]}
solvers:
  - {name: eg}
  - {name: bcfw}
  - {name: one-slack}
  - {name: egr}
  - {name: dcd}
  - {as: fast, name: sgd, eta0: {grid: [1, 0.1]}}
choose: [{solver: fast, over: eta0, by: primal, at: {passes: 5}}]
stop: {gap: 1.0e-3, passes: 60}
`

// kills are processes that the system ends at random moments.
func kills() []fault {
	rng := rand.New(rand.NewPCG(1, 18))
	var whole map[string]string
	killed := 0
	return []fault{
		{what: "a grid with weights, 18 runs, killed (−9) until it is whole: trials", few: 1, tries: 12,
			make: func(g *gaplab, try int) (string, error) {
				g.file("grid.yaml", grid)
				if whole == nil {
					var err error
					if whole, err = results(g, "whole", nil); err != nil {
						return "", err
					}
				}
				again, err := results(g, fmt.Sprint("killed", try), func(patience int) time.Duration {
					killed++
					if !*full { // a few kills
						return time.Duration(200+500*patience+rng.IntN(200)) * time.Millisecond
					}
					return time.Duration(30+rng.IntN(60+40*patience)) * time.Millisecond
				})
				if err != nil {
					return "", err
				}
				for name, text := range whole {
					if again[name] != text {
						return "", fmt.Errorf("%s differs after the kills:\n%s", name, again[name])
					}
				}
				if len(again) != len(whole) {
					return "", fmt.Errorf("%d results, want %d", len(again), len(whole))
				}
				return fmt.Sprintf("%d kills; the same command goes on, with the same rows and weights bit by bit", killed), nil
			}},
	}
}

// results runs the grid to its end, killed after each patience if there is one, and lists what is left: the rows of
// each run without clocks, and its weights.
func results(g *gaplab, folder string, patience func(n int) time.Duration) (map[string]string, error) {
	for n := 0; ; n++ {
		cmd, cancel := g.command("run", "grid.yaml", "--save-weights", "-j", "2", "--out", folder)
		defer cancel()
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			return nil, err
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if patience != nil {
			select {
			case err := <-ended:
				ended <- err
			case <-time.After(patience(n)):
				_ = cmd.Process.Kill()
				if err := <-ended; err != nil {
					continue
				}
				ended <- nil
			}
		}
		if err := <-ended; err != nil {
			return nil, fmt.Errorf("%w\n%s", err, &said)
		}
		break
	}
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(g.dir, folder, "my"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "index" {
			return err
		}
		if filepath.Ext(path) != ".jsonl" {
			text, err := os.ReadFile(path)
			out[entry.Name()] = fmt.Sprintf("%x", text)
			return err
		}
		if strings.Contains(entry.Name(), ".part.") { // of a process that was killed before it could remove it: no result
			return nil
		}
		f, err := trace.Read(path)
		if err != nil {
			return err
		}
		out[entry.Name()] = fmt.Sprint(f.Status(), " ", trace.Exact(f.Rows))
		return nil
	})
	return out, err
}
