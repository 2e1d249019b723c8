//go:build linux

package faults

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// saving is a spec whose run writes many checkpoints.
const saving = `apiVersion: gaplab/v1
id: my/saving
dataset: {name: digits, train: 200, validation: 50}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: 0.001}
solvers: [{name: eg}]
stop: {passes: 300}
`

// states returns the faults of checkpoints that somebody has replaced. Each checkpoint has a valid checksum.
func states() []fault {
	begins := func(message string, spoil func(file string, text []byte) error) func(*gaplab, int) (string, error) {
		return func(g *gaplab, _ int) (string, error) {
			err := os.RemoveAll(filepath.Join(g.dir, "results"))
			if err != nil {
				return "", err
			}
			file, err := checkpoint(g)
			if err != nil {
				return "", err
			}
			text, err := os.ReadFile(file)
			if err == nil {
				err = spoil(file, text[:len(text)-sha256.Size])
			}
			if err != nil {
				return "", err
			}
			return g.refused(0, message, "run", "saving.yaml")
		}
	}
	return []fault{
		{what: "run --force is killed (−9) within a finished run, and run follows", few: 1, tries: 3,
			make: func(g *gaplab, _ int) (string, error) {
				g.file("saving.yaml", saving)
				whole, cancel := g.command("run", "saving.yaml")
				defer cancel()
				if out, err := whole.CombinedOutput(); err != nil {
					return "", fmt.Errorf("%w: %s", err, out)
				}
				if _, err := checkpoint(g, "--force"); err != nil {
					return "", err
				}
				said, err := g.refused(0, "1 runs? had finished before", "run", "saving.yaml")
				if err != nil {
					return "", err
				}
				left, err := filepath.Glob(filepath.Join(g.dir, "results/runs/my/saving/own/*.*"))
				if len(left) != 1 || err != nil {
					return "", fmt.Errorf("files in the results folder: %q, error %v; want one file", left, err)
				}
				return said + "; only the result is left", nil
			}},
		{what: "a checkpoint with a map that claims a trillion entries", few: 1, tries: 3,
			make: begins("the run begins again: .* 1000000000000 elements", func(file string, text []byte) error {
				const kind = "map[string][2]int64" // the length of the map follows its type
				binary.LittleEndian.PutUint64(text[bytes.Index(text, []byte(kind))+len(kind):], 1e12)
				sum := sha256.Sum256(text)
				return os.WriteFile(file, append(text, sum[:]...), 0o666)
			})},
		{what: "a checkpoint of 8 TB", few: 1, tries: 3,
			make: begins("the run begins again: .* the file has 8 TB", func(file string, _ []byte) error {
				return os.Truncate(file, 8e12)
			})},
		{what: "a pipe instead of a checkpoint", few: 1, tries: 3,
			make: begins("the run begins again: .* it is a pipe; accepted: a file", func(file string, _ []byte) error {
				return errors.Join(os.Remove(file), syscall.Mkfifo(file, 0o600))
			})},
	}
}

// checkpoint starts a run with further flags, kills it after it has written a checkpoint, and returns the path of the
// checkpoint.
func checkpoint(g *gaplab, flags ...string) (string, error) {
	g.file("saving.yaml", saving)
	cmd, cancel := g.command(append([]string{"run", "saving.yaml", "--save-every", "1ns"}, flags...)...)
	defer cancel()
	if err := cmd.Start(); err != nil {
		return "", err
	}
	for range 10_000 {
		if found, _ := filepath.Glob(filepath.Join(g.dir, "results/runs/my/saving/own/*.state")); len(found) == 1 {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			_, err := os.Stat(found[0]) // the run may have ended before it was killed
			return found[0], err
		}
		time.Sleep(time.Millisecond)
	}
	return "", errors.New("the run has written no checkpoint")
}
