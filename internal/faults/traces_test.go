//go:build linux

package faults

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// judged is a spec of four runs, with a figure and a claim over all of them.
const judged = small + `seeds: [1, 2, 3, 4]
figure: {x: passes, y: primal}
claims: [{id: c1, says: All end., assert: 'all(series, final(#, "primal") > 0)'}]
`

// traces returns faults of results: one of four runs is damaged, removed or cut off.
func traces() []fault {
	refused := func(change func(path string, text []byte) error) func(*gaplab, int) (string, error) {
		return func(g *gaplab, try int) (string, error) {
			g.file("spec.yaml", judged)
			run, cancel := g.command("run", "spec.yaml", "--force")
			defer cancel()
			if out, err := run.CombinedOutput(); err != nil {
				return "", fmt.Errorf("%w: %s", err, out)
			}
			files, err := filepath.Glob(filepath.Join(g.dir, "results/runs/my/spec/own/*.jsonl"))
			if err != nil || len(files) != 4 {
				return "", fmt.Errorf("number of traces = %d, error %v; want 4", len(files), err)
			}
			path := files[try%len(files)]
			text, err := os.ReadFile(path)
			if err != nil {
				return "", err
			}
			if err := change(path, text); err != nil {
				return "", err
			}
			for _, verb := range []string{"claims", "plot", "export", "report"} {
				args := []string{verb, "spec.yaml"}
				if verb == "report" {
					args = append(args, "--html", "page.html")
				}
				if _, err := g.refused(4, "3 of 4 runs", args...); err != nil {
					return "", fmt.Errorf("%s: %w", verb, err)
				}
			}
			return g.refused(4, "3 of 4 runs", "claims", "spec.yaml")
		}
	}
	return []fault{
		{what: "a pack of results that inflates to 2 GB", few: 1, tries: 3,
			make: func(g *gaplab, _ int) (string, error) {
				g.file("spec.yaml", judged)
				path := filepath.Join(g.dir, "results", "own", "my", "spec.jsonl.gz")
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), inflating(path, 2<<30)); err != nil {
					return "", err
				}
				return g.refused(4, "more than 64 MB; accepted: at most 64 MB", "claims", "spec.yaml")
			}},
		{what: "one bit of one of four traces is changed", few: 4, tries: 40,
			make: func(g *gaplab, try int) (string, error) {
				return refused(func(path string, text []byte) error {
					text[(try*7919+13)%len(text)] ^= 1 << (try % 7)
					return os.WriteFile(path, text, 0o666)
				})(g, try)
			}},
		{what: "one of four traces is removed", few: 1, tries: 4,
			make: refused(func(path string, _ []byte) error { return os.Remove(path) })},
		{what: "one of four traces lacks its last lines", few: 1, tries: 4,
			make: refused(func(path string, text []byte) error {
				lines := strings.SplitAfter(string(text), "\n")
				return os.WriteFile(path, []byte(strings.Join(lines[:len(lines)-2], "")), 0o666)
			})},
	}
}

// inflating writes a compressed file that inflates to size zeros. It repeats a member of a megabyte of zeros.
func inflating(path string, size int) error {
	var one bytes.Buffer
	z := gzip.NewWriter(&one)
	_, err := z.Write(make([]byte, 1<<20))
	if err = errors.Join(err, z.Close()); err != nil {
		return err
	}
	return os.WriteFile(path, bytes.Repeat(one.Bytes(), size>>20), 0o666)
}
