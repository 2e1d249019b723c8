package kernel

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/kernel/protocol"
)

// screen records the output of cells.
type screen struct {
	mu    sync.Mutex
	texts []string // outputs in order; each begins with its media type, or with out or err
}

func (s *screen) add(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.texts = append(s.texts, text)
}

func (s *screen) Print(text string) { s.add("out " + text) }
func (s *screen) Warn(text string)  { s.add("err " + text) }
func (s *screen) Clear()            {}

func (s *screen) Display(_ string, data map[string]string) {
	for media, text := range data {
		s.add(media + " " + text)
	}
}

func (s *screen) Update(id string, data map[string]string) { s.Display(id, data) }

func (s *screen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.texts, "\n")
}

func session(t *testing.T) *Kernel {
	t.Helper()
	o := harness.Options{Root: t.TempDir(), Workers: 2}
	k, err := New(Host{Version: "1", Verbs: []string{"claims", "compare", "show"},
		Verb: func(_ context.Context, args []string, out, _ io.Writer) error {
			_, err := fmt.Fprintln(out, "verb", args)
			return err
		},
		Run: func(_ context.Context, args []string, out, _ io.Writer) (plans []*harness.Plan, err error) {
			fmt.Fprintln(out, "run", args)
			found, err := harness.Select(args[0])
			for _, e := range found {
				s, err := e.At(e.Scales()[0], []string{"stop.passes=1"})
				if err != nil {
					return nil, err
				}
				p, err := harness.NewPlan(s, o)
				if err != nil {
					return nil, err
				}
				plans = append(plans, p)
			}
			return plans, err
		},
		Options: o})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// do executes a cell.
func do(t *testing.T, k *Kernel, code string) (string, error) {
	t.Helper()
	var s screen
	err := k.Execute(t.Context(), code, &s)
	return s.String(), err
}

const digits = `eg-digits:
  dataset: {name: digits, train: 80, validation: 20}
  model: {name: multiclass, loss: log}
  regularisation: {convention: lambda, lambda: 0.01}
  solvers: [{name: eg, eta: 0.5}]
  stop: {passes: 4}
  figure: {x: passes, y: gap, yscale: log, series: "{as}"}
`

// TestCells executes cells in one session and checks their output.
func TestCells(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains in tens of cells")
	}
	k := session(t)
	for _, c := range []struct{ code, want, not string }{
		{digits, "text/html <div><svg", ">sgd<"},
		{`= len(series)`, "text/plain 1", ""},
		{"sgd: {base: eg-digits, solvers: [{name: sgd, eta0: 0.1}]}", "text/html <div><svg", ""},
		{`= len(series)`, "text/plain 2", ""},
		{`= series`, "| eg |", ""},
		{"base: sgd\nwithout: [eg]\nfigure: null", "| sgd lambda", "| eg lambda"},
		{"base: sgd", "text/html <div><svg", ""},
		{`= map(series, [.as, final(#, "passes")])`, "| sgd | ", ""},
		{"%compare as=eg sgd", "out verb [compare ", "as=eg"},
		{"%show", "text/html <div><svg", ""},
		{"%plot", "text/html <div><svg", ""},
		{"%show eg/fig06", "out verb [show eg/fig06]", "<svg"},
		{"base: previous\nstop: {passes: 2}\nfigure: null", "| sgd ", "<svg"},
		{`= final(curve({as: "eg"}), "passes")`, "text/plain 2", ""},
		{"mine: {base: eg/fig06, regularisation: {C: [100, 10]}}", "text/html <div><svg", "mine/c1"},
		{"base: eg/tab2\nfigure: null", "text/markdown | C", ""},
		{"base: sgd\nfigure: null", "| sgd lambda", ""},
		{"%run sgd", "text/html <div><svg", "out run"},
		{"base: previous\nfigure: null\nstop: {passes: 3}", "| sgd lambda=0.01 seed=1 | 3 |", ""},
		{"%set stop.passes 1", "out settings of all cells: stop.passes=1", ""},
		{"base: previous", "| 1 |", ""},
		{"%set solvers.eg.eta=0.25 stop.passes=1", "stop.passes=1 solvers.eg.eta=0.25", ""},
		{"%set\n%scale quick", "out scale: quick", ""},
		{"base: previous", "| eg lambda=0.01 seed=1 |", "has no scale"},
		{"%run eg/fig06", "out run [eg/fig06 --scale quick]", ""},
		{"%claims 'a b'", "out verb [claims a b --scale quick]", ""},
		{"%help", "text/markdown A cell is an experiment", "VERBS"},
	} {
		got, err := do(t, k, c.code)
		if err != nil || !strings.Contains(got, c.want) || c.not != "" && strings.Contains(got, c.not) {
			t.Errorf("%s: error %v, output\n%.600s\nwant %q in it, and not %q", c.code, err, got, c.want, c.not)
		}
	}
}

// TestFaults checks that a fault of a spec becomes an error of the cell, with the line, the key and the accepted
// values.
func TestFaults(t *testing.T) {
	k := session(t)
	for code, want := range map[string]string{
		"= len(series)":        "no results: execute",
		`= final("eg", "gap")`: "no results: execute",
		"= 1 +":                "the expression ends too early",
		"%compare eg sgd":      "eg is not the key of a run; no results: execute",
		"%nothing":             "no verb %nothing; accepted: %claims, %compare, %export, %help",
		"%show":                "no results: execute",
		"%export a.pdf":        "no results: execute",
		"%set stop.passes":     "want a key and its value",
		"explore: {C: 3}":      "line 1, explore.C: got 3; accepted: settings with a list",
		"explore: 3":           "line 1, explore: got 3",
		"%scale big":           "accepted: smoke, quick, paper",
		"%run eg/fig99":        `no experiment "eg/fig99"`,
		"%run 'eg":             "want a verb",
		"base: nowhere":        `line 1, base: no cell "nowhere"`,
		"a: [1":                "not YAML",
		"plain text":           "an expression begins with =, and a verb with %",
		"final('eg', 'gap')":   "an expression begins with =; write: = final('eg', 'gap')",
		"compare eg sgd":       "a verb begins with %; write: %compare eg sgd",
		"base: eg/fig06\nfigure: {x: passes, y: gaps}": `line 2, figure.y: unknown name "gaps", did you mean "gap"?`,
		strings.Replace(digits, "eta", "ete", 1):       "line 5, solvers.0.ete: unknown key, did you mean \"eta\"?",
	} {
		_, err := do(t, k, code)
		var e *protocol.Error
		if !errors.As(err, &e) || !strings.Contains(strings.Join(append(e.Trace, e.Value), "\n"), want) {
			t.Errorf("%s: error %v, want %q", code, err, want)
		}
	}
	_, err := do(t, k, strings.Replace(digits, "eta", "ete", 1))
	var e *protocol.Error
	if !errors.As(err, &e) || e.Name != "SpecError" ||
		!slices.Contains(e.Trace, "   5 |   solvers: [{name: eg, ete: 0.5}]") {
		t.Errorf("error %+v, want a SpecError with the line of the cell", e)
	}
}

// TestSlips checks three things. A wrong setting in %set is reported at once or, if no cell was executed before, by the
// next cell. After a failed cell, the results of the last good cell remain. Comments are ignored.
func TestSlips(t *testing.T) {
	k := session(t)
	steps := []struct{ code, fails, gives string }{
		{"= 1 + 1", "", "text/plain 2"},
		{"%set stop.pases 3", "", "settings of all cells: stop.pases=3"}, // not checked: there was no cell before
		{digits, "%set alone removes them", ""},
		{"# remove them\n%set\n# and continue", "", "none"},
		{"# nothing but a comment", "", ""},
		{"# digits\n" + digits, "", "<svg"},
		{"%set stop.passes x", `got "x"`, ""},
		{"%show eg-digits", "", "<svg"},
		{"# how many\n= len(series)", "", "text/plain 1"},
		{strings.Replace(digits, "eta", "ete", 1), "unknown key", ""},
		{`= final("eg", "passes")`, "", "note: a later cell failed; these are the results of eg-digits\n"},
		{"= 1 + 1", "", "text/plain 2"},
		{"%show", "", "note: a later cell failed"},
		{"= final(eg, gap)", `a name of a solver or a column is written in quotes: final("eg", "gap")`, ""},
		{"base: eg-digits\nstop: {passes: 3}\nfigure: null", "", "| 3.013 |"},
		{`= final("eg", "passes")`, "", "text/plain 3"},
		{"%compare eg sdg", "no run of the last results has the name sdg; accepted: eg, or the key of a run", ""},
		{"base: eg-digits\nsolvers: [{name: sgd, eta0: {grid: [0.1, 0.2]}}]\nfigure: null", "", "| sgd "},
		{"%compare eg sgd", "sgd names 2 runs of the last results; accepted: as=sgd,eta0=0.1 as=sgd,eta0=0.2", ""},
		{"%compare eg as=sgd,eta0=0.2", "", "out verb [compare "},
		{"%compare eg sgdd", `has the name sgdd, did you mean "sgd"?; accepted: as=sgd,eta0=0.1 as=sgd,eta0=0.2 eg, or`, ""},
		{"base: eg-digits\nwithout: [ge]", `line 2, without: no solver "ge", did you mean "eg"?; accepted: eg`, ""},
		{"title: x\nwithout: [eg]", "line 2, without: the cell has no base", ""},
		{"%export fig.jpg", "accepted: an experiment, or a file whose name ends in one of .csv, .", ""},
		{"base: eg-digits\nexplore: {lamda: [1]}", `line 2, explore.lamda: unknown setting, did you mean "lambda"?`, ""},
	}
	for _, c := range steps {
		got, err := do(t, k, c.code)
		var e *protocol.Error
		if errors.As(err, &e) {
			got += strings.Join(append(e.Trace, e.Value), "\n")
		}
		if (err != nil) != (c.fails != "") || !strings.Contains(got, c.fails+c.gives) {
			t.Errorf("%s: error %v, output\n%.300s\nwant %s%s", c.code, err, got, c.fails, c.gives)
		}
	}
}

// TestInterrupt checks that an interrupted cell ends soon, with the interrupt as its error.
func TestInterrupt(t *testing.T) {
	k := session(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	time.AfterFunc(400*time.Millisecond, func() { cancel(protocol.ErrInterrupted) })
	begun := time.Now()
	var s screen
	code := strings.Replace(strings.Replace(digits, "passes: 4", "passes: 1000000", 1), "train: 80", "train: 2000", 1)
	if err := k.Execute(ctx, code, &s); !errors.Is(err, protocol.ErrInterrupted) || time.Since(begun) > 20*time.Second {
		t.Errorf("error %v after %v, want the interrupt within 20 s", err, time.Since(begun))
	}
	if got, err := do(t, k, digits); err != nil {
		t.Errorf("the next cell: %v\n%s", err, got)
	}
}

// TestExplore checks that a cell with explore shows a figure for each combination, one at a time and on common axes,
// and that expressions can select the runs of all combinations by their values.
func TestExplore(t *testing.T) {
	k := session(t)
	got, err := do(t, k, digits+"  explore: {lambda: [0.1, 0.01], solvers.eg.eta: [0.25, 0.5, 1]}\n")
	if err != nil {
		t.Fatal(err)
	}
	got = got[strings.LastIndex(got, "text/html <div data-frames>"):]
	if n := strings.Count(got, "<svg"); n != 6 {
		t.Errorf("%d figures; want 6", n)
	}
	for i := range 6 {
		want := fmt.Sprintf(`<div data-frame="%d" hidden><svg style="width: 100%%; max-width: `, i)
		if i == 0 {
			want = `<div data-frame="0"><svg`
		}
		if !strings.Contains(got, want) {
			t.Errorf("no frame %s in the output", want)
		}
	}
	for _, want := range []string{`max="1" value="0" data-values="[&#34;0.1&#34;,&#34;0.01&#34;]"`, `max="2" value="0"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no slider with %s in the output", want)
		}
	}
	for code, want := range map[string]string{"= len(series)": "6",
		`= final(curve({lambda: 0.01, eta: 1}), "passes")`: "4",
		"= len(filter(series, .eta == 0.25))":              "2"} {
		if got, err := do(t, k, code); err != nil || !strings.Contains(got, "text/plain "+want) {
			t.Errorf("%s: error %v, output %s; want %s", code, err, got, want)
		}
	}
	if got, err := do(t, k, "%show"); err != nil || !strings.Contains(got, "data-frames") {
		t.Errorf("%%show: error %v, output\n%.300s\nwant the frames", err, got)
	}
	if _, err := do(t, k, digits+"  explore: {solvers.eg.ete: [1]}\n"); err == nil ||
		!strings.Contains(err.Error(), `did you mean "eta"`) {
		t.Errorf("error for the setting ete = %v, want the nearest key, eta", err)
	}
	long := strings.Replace(digits, "train: 80", "train: 2000", 1) + "  explore: {stop.passes: [1, 10000000]}\n"
	ctx, cancel := context.WithCancelCause(t.Context())
	var s screen
	go func() { // interrupt the second combination
		for !strings.Contains(s.String(), "2 of 2") && t.Context().Err() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel(protocol.ErrInterrupted)
	}()
	err = k.Execute(ctx, strings.Replace(long, "  stop: {passes: 4}\n", "", 1), &s)
	if !errors.Is(err, protocol.ErrInterrupted) || !strings.Contains(s.String(), `<div data-frame="0"><svg`) ||
		!strings.Contains(s.String(), "not computed yet") {
		t.Errorf("interrupted cell: error %v, want the finished frames in the output\n%.300s", err, s.String())
	}
	if _, err := do(t, k, digits+"  explore: {stop.passes: [1, 2]}\n  figure: null\n"); err == nil { // figure given twice
		t.Error("no error for a key that is given twice")
	}
}

// TestExport checks that figures and rows are written to files, and that the files of an exploration are named by its
// values.
func TestExport(t *testing.T) {
	t.Chdir(t.TempDir())
	k := session(t)
	for _, c := range []struct {
		code  string
		files []string
	}{
		{digits, nil},
		{"%export gap.svg", []string{"gap.svg"}},
		{"%export gap.pdf\n%export rows.csv", []string{"gap.pdf", "rows.csv"}},
		{"base: previous\nexplore: {lambda: [0.1, 0.01]}", nil},
		{"%export g.png", []string{"g-lambda-0.1.png", "g-lambda-0.01.png"}},
	} {
		got, err := do(t, k, c.code)
		if err != nil {
			t.Fatalf("%s: %v", c.code, err)
		}
		for _, f := range c.files {
			if info, err := os.Stat(f); err != nil || info.Size() == 0 || !strings.Contains(got, "wrote "+f) {
				t.Errorf("file %s: %v, output\n%s", f, err, got)
			}
		}
	}
	if _, err := do(t, k, "base: previous\nfigure: null"); err != nil {
		t.Fatal(err)
	}
	if _, err := do(t, k, "%export g.png"); err == nil || !strings.Contains(err.Error(), "have no figure") {
		t.Errorf("error of %%export without a figure = %v, want \"have no figure\"", err)
	}
}

// TestNoGrowth checks that memory does not grow when a cell is executed many times.
func TestNoGrowth(t *testing.T) {
	if testing.Short() {
		t.Skip("it executes 80 cells")
	}
	k := session(t)
	cell := strings.TrimPrefix(strings.ReplaceAll(digits, "\n  ", "\n"), "eg-digits:\n")
	cell = strings.Replace(cell, "train: 80", "train: 20", 1)
	memory := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	var before float64
	for i := range 80 {
		if i == 30 {
			before = memory()
		}
		if _, err := do(t, k, fmt.Sprintf("%stitle: cell %d\n", cell, i)); err != nil {
			t.Fatal(err)
		}
	}
	if after := memory(); after > before+1<<19 {
		t.Errorf("memory: %.1f MB after 80 cells, %.1f MB after 30; want a growth of at most 0.5 MB", after/1e6, before/1e6)
	} else {
		t.Logf("%.1f MB after 80 cells, %.1f MB after 30", after/1e6, before/1e6)
	}
}

// TestHelpWhileTyping checks the completions at the end of a text, and their explanations.
func TestHelpWhileTyping(t *testing.T) {
	k := session(t)
	if _, err := do(t, k, digits); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ code, want, says string }{
		{"%ru", "%run", "%run"}, {"solvers: [{name: bcf", "bcfw", "block-coordinate"},
		{"= fin", "final", "final("}, {`= final(curve({as: "eg"}), "pas`, "passes", "Effective passes"},
		{"dataset: {name: dig", "digits", "28x28"}, {"base: eg-d", "eg-digits", "experiment"},
		{"base: eg/fig0", "eg/fig06", ""},
		{"%run eg-d", "eg-digits", "a cell"}, {"%scale qu", "quick", "a scale"}, {"%set st", "stop", "accepted"},
		{"base: x\nsolvers: [{name: eg, et", "eta", "initial rate"}, {"figure: {x: pas", "passes", "a column"},
		{"claims: [{assert: 'reach", "reach", "reach("},
	} {
		got := k.Complete(c.code, len(c.code))
		if !slices.Contains(got.Matches, c.want) || !strings.HasPrefix(c.want, c.code[got.Start:got.End]) ||
			len(got.Kinds) != len(got.Matches) {
			t.Errorf("Complete(%s) = %+v, want %s", c.code, got, c.want)
		}
		whole := c.code[:got.Start] + c.want
		if says := k.Inspect(whole, len(whole)); !strings.Contains(says, c.says) {
			t.Errorf("Inspect(%s) = %q, want %s", whole, says, c.says)
		}
	}
	if whole, indent := k.Whole("a:\n  dataset:"); whole || indent != "    " {
		t.Errorf("Whole(an open block) = %v, %q; want false, 4 spaces", whole, indent)
	}
	if whole, _ := k.Whole("solvers: [{name: eg},"); whole {
		t.Error("Whole(an open list) = true, want false")
	}
}
