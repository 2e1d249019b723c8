package playground

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/site/playground/session"
)

// TestProblems runs each solver of each problem of the form for two passes. A solver must support its problem.
func TestProblems(t *testing.T) {
	t.Parallel()
	problems, err := Problems()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Run(p.ID, func(t *testing.T) {
			t.Parallel()
			s, err := session.New(t.TempDir(), nil)
			if err != nil {
				t.Fatal(err)
			}
			ended := map[string]bool{}
			if err := s.Run(t.Context(), p.Text(20, 2), func(step session.Step) {
				if step.Kind == session.Ended {
					ended[step.Labels["as"]] = true
					if status := trace.Status(step.Status); status != trace.Done && status != trace.Stalled {
						t.Errorf("%s is %s: %s", step.Labels["as"], status, step.Why)
					}
				}
			}); err != nil {
				t.Fatal(err)
			}
			if len(ended) != len(p.Solvers) || len(p.Chosen) == 0 {
				t.Errorf("%d runs of %d solvers, %d chosen", len(ended), len(p.Solvers), len(p.Chosen))
			}
			for _, name := range p.Chosen {
				if !ended[name] {
					t.Errorf("the chosen solver %s is not offered", name)
				}
			}
		})
	}
}

// TestAssets checks that the scripts have all settings' descriptions, and that the names of columns are readable.
func TestAssets(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test reads all sources")
	}
	files, err := Assets()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"playground.js": `"gap":"Relative duality gap"`,
		"worker.js": "importScripts", "descriptions.json": "harness/lang.Stop.Gap",
		"playground.css": ".u-select", "files.js": "globalThis.fs"} {
		if !strings.Contains(string(files[name]), want) {
			t.Errorf("%s does not contain %s", name, want)
		}
	}
}

// TestJoinData joins the data of a module: a header, a section that is copied, and three segments of data.
func TestJoinData(t *testing.T) {
	t.Parallel()
	section := func(kind byte, content []byte) []byte {
		return append(binary.AppendUvarint([]byte{kind}, uint64(len(content))), content...)
	}
	zeros := func(n int) string { return strings.Repeat("\x00", n) }
	head := []byte("\x00asm\x01\x00\x00\x00")
	code := section(10, []byte("code"))
	before := appendSegments(nil, []segment{{4096, []byte("ab")}, {4105, []byte("cd")}, {8192, []byte("e")}})
	after := appendSegments(nil, []segment{{4096, []byte("ab" + zeros(7) + "cd")}, {8192, []byte("e")}})
	got, err := joinData(slices.Concat(head, code, section(dataSection, before)))
	if want := slices.Concat(head, code, section(dataSection, after)); err != nil || !bytes.Equal(got, want) {
		t.Errorf("the joined module is\n%q, %v, want\n%q", got, err, want)
	}
	for n := range len(before) {
		if _, err := joinData(slices.Concat(head, section(dataSection, before[:n]))); err == nil {
			t.Errorf("data that are cut off after %d bytes give no error", n)
		}
	}
	for _, v := range []int64{0, 63, 64, -1, -64, -65, 1 << 31, -1 << 40} {
		if back, n := signed(appendSigned(nil, v)); back != v || n == 0 {
			t.Errorf("%d is read as %d", v, back)
		}
	}
}
