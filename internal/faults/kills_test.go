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
dataset: {name: digits, train: 200, validation: 50}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: [0.1, 0.01, 0.001]}
solvers:
  - {name: eg}
  - {name: bcfw}
  - {name: one-slack}
  - {name: n-slack}
  - {name: bmrm}
  - {name: egr}
  - {name: dcd}
  - {as: path, name: eg, order: batch, eta: 1,
     path: {lambda: {from: 0.1, factor: 0.1, steps: 3}, until: {gap: 1.0e-4, passes: 30}}}
  - {as: fast, name: sgd, eta0: {grid: [1, 0.1]}}
choose:
  - {solver: fast, over: eta0, by: primal, at: {passes: 5}}
  - {solver: eg, over: lambda, by: validation_error}
stop: {gap: 1.0e-4, passes: 60}
`

// kills returns the fault of a process that is killed (signal 9) at random moments.
func kills() []fault {
	rng := rand.New(rand.NewPCG(1, 18))
	var whole map[string]string
	killed, resumptions := 0, 0
	return []fault{
		{what: "a grid with weights, checkpoints, a choice and a path, killed (−9) repeatedly until it is complete",
			few: 1, tries: 12, make: func(g *gaplab, try int) (string, error) {
				spec := grid
				if !*full { // use fewer and shorter runs
					spec = strings.NewReplacer("[0.1, 0.01, 0.001]", "[0.1]", "train: 200", "train: 60", "passes: 60", "passes: 20",
						"passes: 30", "passes: 10").Replace(spec)
				}
				g.file("grid.yaml", spec)
				if whole == nil {
					var err error
					if whole, _, err = results(g, "whole", nil); err != nil {
						return "", err
					}
				}
				again, resumed, err := results(g, fmt.Sprint("killed", try), func(patience int) time.Duration {
					killed++
					if !*full { // kill only a few times
						return time.Duration(100+200*patience+rng.IntN(100)) * time.Millisecond
					}
					return time.Duration(30+rng.IntN(60+40*patience)) * time.Millisecond
				})
				if err != nil {
					return "", err
				}
				resumptions += resumed
				for name, text := range whole {
					if again[name] != text {
						return "", fmt.Errorf("%s differs after the kills:\n%s", name, again[name])
					}
				}
				for name := range again {
					if _, ok := whole[name]; !ok {
						return "", fmt.Errorf("the file %s is left, which an undisturbed run does not leave", name)
					}
				}
				return fmt.Sprintf("%d kills; the same command resumes, %d times within a run, with the same rows and weights "+
					"bit by bit", killed, resumptions), nil
			}},
	}
}

// results runs gaplab on the spec grid.yaml until all runs of the spec are done. If patience is not nil, process n,
// from 0, is killed after the time patience(n), and the next process is started. The result out has the contents of the
// result files: the rows of each run without times, and the weights of the run. The result resumed is how often runs
// were resumed from a checkpoint.
func results(g *gaplab, folder string, patience func(n int) time.Duration) (out map[string]string, resumed int,
	err error) {
	for n := 0; ; n++ {
		cmd, cancel := g.command("run", "grid.yaml", "--save-weights", "--save-every", "1ms", "-j", "2", "--out", folder)
		defer cancel()
		var said bytes.Buffer
		cmd.Stderr = &said
		if err := cmd.Start(); err != nil {
			return nil, 0, err
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
			return nil, 0, fmt.Errorf("%w\n%s", err, &said)
		}
		break
	}
	out = map[string]string{}
	err = filepath.WalkDir(filepath.Join(g.dir, folder, "my"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "index" || strings.HasSuffix(entry.Name(), ".state.tmp") {
			return err
		}
		if filepath.Ext(path) != ".jsonl" {
			text, err := os.ReadFile(path)
			out[entry.Name()] = fmt.Sprintf("%x", text)
			return err
		}
		if strings.Contains(entry.Name(), ".part.") { // a temporary file of a killed process
			return nil
		}
		f, err := trace.Read(path)
		if err != nil {
			return err
		}
		resumed += f.End.Resumed
		out[entry.Name()] = fmt.Sprint(f.Status(), " ", trace.Exact(f.Rows))
		return nil
	})
	return out, resumed, err
}
