package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/site/playground"
	"github.com/gaplab/gaplab/site/playground/session"
)

// rowsOf are the rows of runs, by the names of their solvers.
type rowsOf map[string][]map[string]float64

// add adds a row without the columns that contain times.
func (r rowsOf) add(solver string, row map[string]float64) {
	row = maps.Clone(row)
	maps.DeleteFunc(row, func(name string, _ float64) bool { return strings.HasSuffix(name, "seconds") })
	r[solver] = append(r[solver], row)
}

// rows compares the rows in the browser with those of the program. All rows must equal those of the program for a
// processor without vector instructions. On amd64, two pieces of assembly round in another way: the sums of gonum (with
// the build tag noasm, one-slack, bmrm and interior-point have the bits of the browser), and the exponentials and
// logarithms of package math, which internal/explog follows.
func (t tab) rows() {
	problems, err := playground.Problems()
	if err != nil {
		t.Fatal(err)
	}
	specs := map[string]string{}
	for _, p := range problems {
		specs[p.ID] = p.Text(40, 12)
	}
	browser := t.browserRows(specs)
	for _, id := range slices.Sorted(maps.Keys(specs)) {
		native := nativeRows(t.T, specs[id])
		for solver, rows := range native {
			got := browser[id][solver]
			if len(got) != len(rows) {
				t.Errorf("%s, %s: %d rows in the browser, %d here", id, solver, len(got), len(rows))
				continue
			}
			equal, largest := true, 0.0
			for i, row := range rows {
				equal = equal && maps.Equal(row, got[i])
				for _, column := range []string{trace.Primal, trace.Dual} {
					if a, b := row[column], got[i][column]; a != b {
						largest = max(largest, math.Abs(a-b)/max(math.Abs(a), math.Abs(b)))
					}
				}
			}
			if largest > 1e-9 {
				t.Errorf("%s, %s: objectives differ by %.1e from those of %s", id, solver, largest, runtime.GOARCH)
			}
			t.Logf("%s, %s: %d rows, equal to those of %s: %v, largest difference %.1e", id, solver, len(rows),
				runtime.GOARCH, equal, largest)
		}
	}
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("only Linux on amd64 runs the program for 386")
	}
	for id, want := range rowsWithoutVectors(t.T, specs) {
		for solver, rows := range want {
			if !slices.EqualFunc(rows, browser[id][solver], maps.Equal[map[string]float64, map[string]float64]) {
				t.Errorf("%s, %s: the rows differ from those of the program for 386", id, solver)
			}
		}
	}
}

// browserRows returns the rows of specs in the browser.
func (t tab) browserRows(specs map[string]string) map[string]rowsOf {
	t.Helper()
	text, err := json.Marshal(specs)
	if err != nil {
		t.Fatal(err)
	}
	evaluate[bool](t, `(() => {
		const specs = Object.entries(`+string(text)+`), all = {}, worker = new Worker("playground/worker.js");
		const next = () => {
			if (specs.length) worker.postMessage({type: "run", text: specs[0][1]});
			else window.allRows = JSON.stringify(all);
		};
		worker.onmessage = event => {
			const m = event.data;
			if (m.type === "steps") (all[specs[0][0]] ||= []).push(...m.steps.filter(s => s.kind === "row"));
			if (m.type === "ended") specs.shift();
			if (m.type === "ready" || m.type === "ended") next();
		};
		worker.postMessage({type: "load"});
		return true;
	})()`)
	t.wait("window.allRows")
	var steps map[string][]session.Step
	if err := json.Unmarshal([]byte(evaluate[string](t, "window.allRows")), &steps); err != nil {
		t.Fatal(err)
	}
	out := map[string]rowsOf{}
	for id, list := range steps {
		out[id] = rowsOf{}
		for _, s := range list {
			out[id].add(s.Labels["as"], s.Values)
		}
	}
	return out
}

// nativeRows returns the rows of a spec on this processor.
func nativeRows(t *testing.T, text string) rowsOf {
	t.Helper()
	s, err := session.New(t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	out := rowsOf{}
	err = s.Run(t.Context(), text, func(s session.Step) {
		if s.Kind == session.Row {
			out.add(s.Labels["as"], s.Values)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// rowsWithoutVectors builds the program for 386 and returns the rows of its runs. The program for 386 uses neither
// vector instructions nor fused multiply and add.
func rowsWithoutVectors(t *testing.T, specs map[string]string) map[string]rowsOf {
	t.Helper()
	dir := t.TempDir()
	program := filepath.Join(dir, "gaplab")
	build := exec.Command("go", "build", "-o", program, "./cmd/gaplab")
	build.Dir, build.Env = "..", append(os.Environ(), "GOARCH=386", "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	out := map[string]rowsOf{}
	for id, text := range specs {
		file := filepath.Join(dir, id+".yaml")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if text, err := exec.Command(program, "run", file, "--out", dir).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", id, err, text)
		}
		files, err := trace.ReadDir(filepath.Join(dir, "playground", id, "own"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d runs, %v", id, len(files), err)
		}
		out[id] = rowsOf{}
		for _, f := range files {
			for _, row := range f.Rows {
				out[id].add(fmt.Sprint(f.Manifest.Labels["as"]), row.Values)
			}
		}
	}
	return out
}
