//go:build linux

package faults

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
)

// onData returns a spec that reads rows from a file.
func onData(file string) string {
	return `apiVersion: gaplab/v1
id: my/memory
dataset: {format: libsvm, path: ` + file + `}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: 0.01}
solvers: [{name: dcd}]
stop: {passes: 2}
`
}

// memory returns the faults of data that need too much memory, and of data files that never end.
func memory() []fault {
	refused := func(code int, message string, data func(g *gaplab) error) func(*gaplab, int) (string, error) {
		return func(g *gaplab, _ int) (string, error) {
			if err := data(g); err != nil {
				return "", err
			}
			g.file("memory.yaml", onData("rows.txt"))
			return g.refused(code, message, "run", "memory.yaml")
		}
	}
	text := func(content string) func(*gaplab) error {
		return func(g *gaplab) error { g.file("rows.txt", content); return nil }
	}
	sparse := func(begin string) func(*gaplab) error {
		return func(g *gaplab) error {
			g.file("rows.txt", begin)
			return os.Truncate(filepath.Join(g.dir, "rows.txt"), 100e9)
		}
	}
	return []fault{
		{what: "a row with the feature 2147483647", few: 1, tries: 3,
			make: refused(3, "it needs at least .* of memory for", text("1 1:1 2147483647:1\n2 2:1\n1 3:1\n"))},
		{what: "as many classes and features as rows: 100,000", few: 1, tries: 3,
			make: refused(3, "it needs at least 160 GB of memory for", func(g *gaplab) error {
				var b strings.Builder
				for i := range 100_000 {
					fmt.Fprintf(&b, "%d %d:1\n", i, i+1)
				}
				g.file("rows.txt", b.String())
				return nil
			})},
		{what: "a wrong line, with 100 GB after it", few: 1, tries: 3,
			make: refused(2, "has no colon: want INDEX:VALUE", sparse("1 1:1\n2 x y\n"))},
		{what: "a pipe instead of a file", few: 1, tries: 3,
			make: refused(3, "it is a pipe; accepted: a file", func(g *gaplab) error {
				os.Remove(filepath.Join(g.dir, "rows.txt"))
				return syscall.Mkfifo(filepath.Join(g.dir, "rows.txt"), 0o600)
			})},
		{what: "a device from which reading never ends", few: 1, tries: 3,
			make: refused(3, "it is a device; accepted: a file", func(g *gaplab) error {
				os.Remove(filepath.Join(g.dir, "rows.txt"))
				return os.Symlink("/dev/zero", filepath.Join(g.dir, "rows.txt"))
			})},
		{what: "a link to a file outside of the spec's folder, which is no data", few: 1, tries: 3,
			make: refused(2, "rows.txt:1:8: … has no colon: want INDEX:VALUE .the text is not quoted", func(g *gaplab) error {
				secret := filepath.Join(g.t.TempDir(), "secret")
				os.Remove(filepath.Join(g.dir, "rows.txt"))
				return errors.Join(os.WriteFile(secret, []byte("secret \"words\"\n"), 0o600),
					os.Symlink(secret, filepath.Join(g.dir, "rows.txt")))
			})},
		{what: "an address space of 200 MB (ulimit -v), with a program that is linked with C", few: 1, tries: 3,
			make: func(g *gaplab, _ int) (string, error) {
				info, err := buildinfo.ReadFile(g.program)
				if err != nil || slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "0"}) {
					return "not tried: the program is not linked with C", err
				}
				limited := *g
				limited.program = filepath.Join(g.dir, "limited")
				g.file("limited", "#!/bin/sh\nulimit -v 200000\nexec "+g.program+" \"$@\"\n")
				if err := os.Chmod(limited.program, 0o755); err != nil {
					return "", err
				}
				return limited.refused(3, "ulimit -v, is 200000 kB; accepted: at least", "run", "eg/fig06")
			}},
		{what: "rows whose squares overflow", few: 1, tries: 3,
			make: refused(2, "scale the features", text("1 1:1e200\n2 2:1\n"))},
	}
}
