package page_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/page"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// source returns results with one experiment and two runs: slow ends at a primal of 1234.5 and fast at 0.25.
func source() page.Source {
	var files []*trace.File
	for name, last := range map[string]float64{"slow": 1234.5, "fast": 0.25} {
		f := &trace.File{End: &trace.End{Status: trace.Done, Seconds: 2, CPUSeconds: 1, Load: &last}}
		f.Manifest = trace.Manifest{Experiment: "toy/fig1",
			Conditions: trace.Conditions{Workers: 1, Alone: name == "fast"}, Origin: trace.Origin{Commit: "0123456789"},
			Labels: map[string]any{"as": name, "lambda": 1.0}}
		for i, primal := range []float64{2000, last} {
			f.Rows = append(f.Rows, trace.Row{Values: map[string]float64{"passes": float64(i), "primal": primal}})
		}
		files = append(files, f)
	}
	number := func(x float64) table.Cell { return table.Cell{Ours: &x} }
	verdicts := []claims.Verdict{
		{Experiment: "toy/fig1", Claim: "c1", Verdict: claims.Reproduced, Measured: "1 < 2"},
		{Experiment: "toy/fig1", Claim: "c2", Verdict: claims.NotReproduced, Measured: "2 < 1"},
		{Experiment: "toy/fig1", Claim: "c3", Verdict: claims.NotTestable, Why: "there are no results"},
	}
	return page.Source{
		Papers: []page.Paper{{Key: "toy", Title: "Toys"}},
		Results: func(id, scale string) (*page.Results, error) {
			if id != "toy/fig1" {
				return nil, errors.New("there is toy/fig1")
			}
			return &page.Results{ID: id, Scale: scale, Evidence: expr.Evidence{Set: trace.NewSet(files)}, Files: files,
				Measures: map[string]string{"c1": "[1, [2, inf]]"},
				Table: func() (table.Table, error) {
					return table.Table{Key: "as", Columns: []table.Column{{Title: "passes", Format: "%.0f"},
						{Title: "primal", Format: "%.2f"}}, Rows: []table.Row{{Key: "fast",
						Cells: []table.Cell{number(1), number(0.25)}}}}, nil
				}}, nil
		},
		Verdicts: func([]string, string) ([]claims.Verdict, error) { return verdicts, nil },
	}
}

const begin = `{{scale "paper" -}}
{{on "toy/fig1" -}}
`

// TestRender checks what each function of a page prints.
func TestRender(t *testing.T) {
	for _, test := range []struct{ page, want string }{
		{`Slow ends at {{value "%.1f" ` + "`final(curve({as: \"slow\"}),\n \"primal\")`" + `}}.`, "Slow ends at 1,234.5."},
		{"{{value `%.2f ± %.0e` `[[-1.5, 0.00002], [3, 4]]`}}", "−1.50 ± 2e-5, 3.00 ± 4e0"},
		{"| a | {{cells `%v` `[1234, 0.123456]`}} |", "| a | 1,234 | 0.1235 |"},
		{"{{value `%d %s, 5 %%` `[12345, \"letters\"]`}}", "12,345 letters, 5 %"},
		{"Fast is faster{{holds `final(curve({as: \"fast\"}), \"primal\") < 1`}}.", "Fast is faster."},
		{`{{table "primal"}}`, "| as | primal |\n| ---: | ---: |\n| fast | 0.25 |"},
		{`{{len (claims "toy")}}, {{len (claims "toy").Reproduced}}: not {{(claims "toy").NotReproduced.IDs}}`,
			"3, 1: not `fig1/c2`"},
		{`{{reproduced "toy/fig1/c1"}} {{notReproduced "toy/fig1/c2"}} {{notTestable "toy/fig1/c3"}}`,
			"`fig1/c1` `fig1/c2` `fig1/c3`"},
		{`{{(claim "toy/fig1/c2").Measured}}`, "2 < 1"},
		{"{{with runs}}{{.Count}} {{.Seconds}} {{.CPU}} {{number \"%.2f\" .Minutes}} {{.Load}} {{.Alone}}{{end}}, " +
			"{{(runs `as == \"fast\"`).Alone}}", "2 4 2 0.03 1234.5 false, true"},
		{`{{measured "%.0f / %v" "c1" 0 2}}`, "1 / never"},
		{`{{range list "a" "b"}}{{.}}{{number "%d, %.1f" 1234 2.5}}{{end}}`, "a1,234, 2.5b1,234, 2.5"},
		{"{{value `%v` `[999999, 1234567, -1234567, 0.5]`}}", "999,999, 1.235e6, −1.235e6, 0.5"},
		{`{{range papers}}{{.Title}}{{end}}`, "Toys"},
	} {
		got, err := page.Render("a.md.tmpl", begin+test.page, source())
		if err != nil || got != test.want {
			t.Errorf("Render(%s) = %q, %v; want %q", test.page, got, err, test.want)
		}
	}
}

// TestFaults checks that an error names the page and its line, the experiment and the expression.
func TestFaults(t *testing.T) {
	for _, test := range []struct {
		page, want string
		untrue     bool
	}{
		{"{{value `%f` `1`}}", `a.md.tmpl:1: value: no experiment is selected`, false},
		{begin + "\n{{value `%f`\n`final(curve({as:\n\"x\"}), \"primal\")`}}",
			"a.md.tmpl:4: toy/fig1 at scale paper: `final(curve({as: \"x\"}), \"primal\")`: no curve has as = x", false},
		{begin + "{{value `%f` `foo`}}", "a.md.tmpl:3: toy/fig1 at scale paper: `foo`: unknown name", false},
		{begin + "{{value `%f` `-inf`}}", "a value is minus infinity", false},
		{begin + `{{measured "%f" "c1" 3}}`, "no element 3; accepted: 0 to 2", false},
		{begin + `{{measured "%f" "c1" 0 -1}}`, "no element -1; accepted: 0 to 2", false},
		{begin + `{{measured "%f" "c2"}}`, "toy/fig1 has no claim c2 with a measure; accepted: c1", false},
		{begin + "{{value `%s` `1`}}", "%s does not format the number 1", false},
		{begin + "{{value `%f` `\"a\"`}}", "%f formats a number, but the value is the text a", false},
		{begin + "{{value `%f %f` `1`}}", `the format "%f %f" prints 2 values at a time; the expression has 1`, false},
		{begin + "{{value `text` `1`}}", `the format "text" prints 0 values at a time; the expression has 1`, false},
		{begin + "{{value `5 %%` `1`}}", `the format "5 %%" prints 0 values at a time; the expression has 1`, false},
		{begin + "{{value `%f` `[]`}}", `the format "%f" prints 1 values at a time; the expression has 0`, false},
		{begin + "{{value `%f %f` `[1, 2, 3]`}}", `the format "%f %f" prints 2 values at a time; the expression has 3`,
			false},
		{begin + "{{value `%f` `curve({as: \"fast\"})`}}", "got a curve", false},
		{begin + "{{holds `final(curve({as: \"fast\"}), \"primal\") > 1`}}", `= 0.25 (fails) > 1`, true},
		{begin + "{{holds `foo`}}", "unknown name", false},
		{begin + `{{number "%d" 2.5}}`, "a.md.tmpl:3: %d does not format the number 2.5", false},
		{begin + `{{table "dual"}}`, `no column "dual"; accepted: passes, primal`, false},
		{begin + `{{reproduced "toy/fig1/c2"}}`,
			"toy/fig1/c2: the stated verdict is not true; it is not-reproduced: 2 < 1", true},
		{`{{claim "c2"}}`, "accepted: PAPER/ITEM/CLAIM", false},
		{`{{claim "toy/fig1/c9"}}`, "toy/fig1 has no claim c9; accepted: c1, c2, c3", false},
		{begin + "{{runs `as ==`}}", "a.md.tmpl:3: toy/fig1", false},
		{`{{on "toy/fig2"}}`, "a.md.tmpl:1: toy/fig2: there is toy/fig1", false},
		{"\n{{foo}}", `a.md.tmpl:2: function "foo" not defined`, false},
		{"{{(runs).Foo}}", "a.md.tmpl:1", false},
	} {
		_, err := page.Render("a.md.tmpl", test.page, source())
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, page.ErrUntrue) != test.untrue {
			t.Errorf("Render(%s): error %v, want %q", test.page, err, test.want)
		}
	}
}

// TestFaultsOfResults checks the errors of a page about results whose rows contradict each other, and about a table
// that cannot be made, with or without titles of columns.
func TestFaultsOfResults(t *testing.T) {
	changed := func(change func(r *page.Results)) page.Source {
		s := source()
		results := s.Results
		s.Results = func(id, scale string) (*page.Results, error) {
			r, err := results(id, scale)
			if err == nil {
				change(r)
			}
			return r, err
		}
		return s
	}
	contradicting := changed(func(r *page.Results) { r.Evidence.Set.Err = errors.New("a primal is below a dual") })
	broken := changed(func(r *page.Results) {
		made := r.Table
		r.Table = func() (table.Table, error) { // an error beside a table that has the columns
			t, _ := made()
			return t, errors.New("no printed file")
		}
	})
	for _, c := range []struct {
		source page.Source
		page   string
		want   string
	}{
		{contradicting, begin, "toy/fig1 at scale paper: the rows contradict each other: a primal is below a dual"},
		{broken, begin + `{{table "primal"}}`, "toy/fig1 at scale paper: table: no printed file"},
		{broken, begin + `{{table}}`, "toy/fig1 at scale paper: table: no printed file"},
	} {
		if text, err := page.Render("a.md.tmpl", c.page, c.source); err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("Render(%s) = %q, %v; want the error %s", c.page, text, err, c.want)
		}
	}
}

// TestFill checks that prose is wrapped, and that headings, tables, code and other Markdown stay as they are.
func TestFill(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 30))
	for _, test := range []struct{ page, want string }{
		{"one\ntwo\n\nthree\n", "one two\n\nthree\n"},
		{long, strings.Repeat("word ", 23) + "word\n" + strings.TrimSpace(strings.Repeat("word ", 6))},
		{"- " + long, "- " + strings.Repeat("word ", 22) + "word\n  " + strings.TrimSpace(strings.Repeat("word ", 7))},
		{"# a\nb\n| c |\n```\nd\ne\n```\n    f\n![g](h)\n", "# a\nb\n| c |\n```\nd\ne\n```\n    f\n![g](h)\n"},
		{"one\n\ntwo\nthree\n", "one\n\ntwo three\n"},
		{"```go\na\n\nb\nc\n```\nd\ne\n", "```go\na\n\nb\nc\n```\nd e\n"},
		{"a `b`\n`c` d\n", "a `b` `c` d\n"},
		{"- a\n  b\n1. c\n", "- a b\n1. c\n"},
		{"1. a\n2. b\n", "1. a\n2. b\n"},
		{"passes: 13 and\n17. The next\n1. item", "passes: 13 and 17. The next\n1. item"},
		{"a  \nb\\\nc", "a  \nb\\\nc"},
		{strings.Repeat("word ", 23) + "words\n- x", strings.Repeat("word ", 23) + "words\n- x"},
		{"a\n    b\n", "a b\n"},
		{"<b>\nc\n> d\ne\n", "<b>\nc\n> d\ne\n"},
		{"* a\n+ b\n1) c\nd\n2) e", "* a\n+ b\n1) c d\n2) e"},
		{"  a\nb\n\nc\nd", "  a b\n\nc d"},
		{"1. a\n\nb\n2. c", "1. a\n\nb 2. c"},
		{"- a  \n  b\n  c", "- a  \n  b c"},
		{strings.Repeat("word ", 23) + "wwww 12. x", strings.TrimSpace(strings.Repeat("word ", 23)) + "\nwwww 12. x"},
		{strings.Repeat("word ", 23) + "wwww # + x", strings.TrimSpace(strings.Repeat("word ", 23)) + "\nwwww # + x"},
		{strings.Repeat("wörd ", 24) + "x", strings.TrimSpace(strings.Repeat("wörd ", 24)) + "\nx"},
		{strings.Repeat("wörd ", 23) + "wörds", strings.Repeat("wörd ", 23) + "wörds"},
		{strings.Repeat("word ", 23) + "wwww - x", strings.TrimSpace(strings.Repeat("word ", 23)) + "\nwwww - x"},
	} {
		if got, err := page.Render("a", test.page, page.Source{}); err != nil || got != test.want {
			t.Errorf("Render(%q) = %q, %v; want %q", test.page, got, err, test.want)
		}
	}
}

// TestTotals compares the totals of runs with sums and maxima over them. If a run has no CPU time, the total CPU time
// is 0, and the minutes are wall-clock time.
func TestTotals(t *testing.T) {
	load := func(x float64) *float64 { return &x }
	for without := range 4 { // the run without CPU time; 3: none
		var files []*trace.File
		for i := range 3 {
			f := &trace.File{End: &trace.End{Status: trace.Done, Seconds: 60 * float64(i+1), CPUSeconds: 30 * float64(i+1)}}
			f.Manifest = trace.Manifest{Labels: map[string]any{"as": string(rune('a' + i)), "lambda": 1.0},
				Size:   trace.Size{N: []int{5, 9, 7}[i], Dim: []int{40, 20, 30}[i]},
				Origin: trace.Origin{Commit: []string{"0123456789", "abcdefghij", "0123456xyz"}[i]}}
			f.Manifest.Workers, f.Manifest.Alone = []int{1, 4, 2}[i], i != 1
			f.Manifest.Load, f.End.Load = load([]float64{.5, .25, .125}[i]), load([]float64{.5, .75, .25}[i])
			if i == without {
				f.End.CPUSeconds = 0
			}
			files = append(files, f)
		}
		cpu, minutes := "180", "3.000"
		if without < 3 {
			cpu, minutes = "0", "6.000"
		}
		s := source()
		s.Results = func(id, scale string) (*page.Results, error) {
			return &page.Results{ID: id, Scale: scale, Evidence: expr.Evidence{Set: trace.NewSet(files)}, Files: files}, nil
		}
		got, err := page.Render("a.md.tmpl", begin+"{{with runs}}{{.Count}} {{.Seconds}} {{.CPU}} "+
			"{{number \"%.3f\" .Minutes}} {{.Load}} {{.N}} {{.Dim}} {{.Workers}} {{.Alone}} {{.Commits}}{{end}}; "+
			"{{with runs `as != \"b\"`}}{{.Count}} {{.Seconds}} {{.Load}} {{.N}} {{.Dim}} {{.Workers}} {{.Alone}} "+
			"{{.Commits}}{{end}}", s)
		want := "3 360 " + cpu + " " + minutes + " 0.75 9 40 4 false [0123456 abcdefg]; 2 240 0.5 7 40 2 true [0123456]"
		if err != nil || got != want {
			t.Errorf("totals without the CPU time of run %d: %q, %v; want %q", without, got, err, want)
		}
	}
}

// TestMinutes checks that the minutes of runs are those of their CPU time, however short, and that they are wall-clock
// time only if there is no CPU time.
func TestMinutes(t *testing.T) {
	for _, c := range []struct{ seconds, cpu, want float64 }{
		{90, 30, 0.5}, {90, 0.6, 0.01}, {90, 0, 1.5}, {0, 0, 0}, {60, 600, 10},
	} {
		if got := (page.Totals{Seconds: c.seconds, CPU: c.cpu}).Minutes(); got != c.want {
			t.Errorf("%v s, CPU time %v s: %v minutes, want %v", c.seconds, c.cpu, got, c.want)
		}
	}
}

// TestSourceIsAsked checks what a page asks its source for: the experiment, or the experiments or papers of claims, at
// the scale that the page has set before; and that values come from the experiment that was selected last.
func TestSourceIsAsked(t *testing.T) {
	var asked []string
	s := page.Source{
		Results: func(id, scale string) (*page.Results, error) {
			asked = append(asked, id+" "+scale)
			f := &trace.File{End: &trace.End{Status: trace.Done}}
			f.Manifest.Labels = map[string]any{"as": "a"}
			f.Rows = []trace.Row{{Values: map[string]float64{trace.Passes: float64(len(id + scale)), trace.Seconds: 8}}}
			files := []*trace.File{f}
			return &page.Results{ID: id, Scale: scale, Evidence: expr.Evidence{Set: trace.NewSet(files)}, Files: files,
				Measures: map[string]string{"c1": "1", "c2": `final("a", "passes")`}}, nil
		},
		Verdicts: func(names []string, scale string) ([]claims.Verdict, error) {
			asked = append(asked, strings.Join(names, "+")+" "+scale)
			return []claims.Verdict{{Experiment: names[0], Claim: "c1", Verdict: claims.Tie}}, nil
		},
	}
	const passes = "{{value `%.0f` `final(\"a\", \"passes\")`}} "
	got, err := page.Render("a.md.tmpl", `{{on "p/a"}}`+passes+`{{measured "%.0f" "c2"}} {{scale "smoke"}}`+passes+
		`{{on "p/long"}}`+passes+passes+`{{measured "%.0f" "c2"}} {{tie "q/b/c1"}} {{scale ""}}{{(claims "q" "r/c").IDs}} `+
		"{{on `p/a`}}"+passes+"{{value `%.0f` `final(\"a\", \"cpu_seconds\")`}} "+passes, s)
	if want := "3 3 3 11 11 11 `b/c1` `q/c1` 3 8 3"; err != nil || strings.TrimSpace(got) != want {
		t.Errorf("page = %q, %v; want %q", got, err, want)
	}
	want := []string{"p/a ", "p/long smoke", "q/b smoke", "q+r/c ", "p/a "}
	if !slices.Equal(asked, want) {
		t.Errorf("the page asked for %q, want %q", asked, want)
	}
	_, err = page.Render("a.md.tmpl", "{{on `p/a`}}{{holds `final(\"a\", \"cpu_seconds\") > 0`}}", s)
	if err == nil || errors.Is(err, page.ErrUntrue) {
		t.Errorf("holds of a CPU time that was not measured: %v, want an error", err)
	}
}

// TestSourceFails checks that each function that reads verdicts or results fails with the error of the source and the
// names for which the page asked. This includes an error that comes with the verdicts of other experiments.
func TestSourceFails(t *testing.T) {
	gone := errors.New("gone")
	s := source()
	verdicts, _ := s.Verdicts(nil, "")
	s.Verdicts = func([]string, string) ([]claims.Verdict, error) { return verdicts, gone }
	s.Results = func(string, string) (*page.Results, error) { return nil, gone }
	for call, want := range map[string]string{
		"len (claims `toy` `eg/fig06`)": "the claims of toy, eg/fig06: gone",
		"(claims `toy`).IDs":            "the claims of toy: gone",
		"(claim `toy/fig1/c1`).Why":     "the claims of toy/fig1: gone",
		"reproduced `toy/fig1/c1`":      "the claims of toy/fig1: gone",
		"notReproduced `toy/fig1/c2`":   "the claims of toy/fig1: gone",
		"notTestable `toy/fig1/c3`":     "the claims of toy/fig1: gone",
		"tie `toy/fig1/c1`":             "the claims of toy/fig1: gone",
		"notMeasured `toy/fig1/c1`":     "the claims of toy/fig1: gone",
		"on `toy/fig1`":                 "toy/fig1: gone",
	} {
		got, err := page.Render("a.md.tmpl", "\n{{"+call+"}}", s)
		if !errors.Is(err, gone) || err.Error() != "a.md.tmpl:2: "+want {
			t.Errorf("%s: page %q, error %v; want the error %q", call, got, err, want)
		}
	}
}

// TestColumnsOfATable checks tables with some columns of a table, in the order of the page, and that they leave the
// table as it is.
func TestColumnsOfATable(t *testing.T) {
	x := func(x float64) table.Cell { return table.Cell{Ours: &x} }
	whole := table.Table{Key: "k", Columns: []table.Column{{Title: "a", Format: "%.0f"}, {Title: "b", Format: "%.1f"},
		{Title: "c", Format: "%.2f"}}, Rows: []table.Row{{Key: "x", Cells: []table.Cell{x(1), x(2), x(3)}},
		{Key: "y", Cells: []table.Cell{x(4), x(5), x(6)}}}}
	s := page.Source{Results: func(id, scale string) (*page.Results, error) {
		return &page.Results{ID: id, Evidence: expr.Evidence{Set: trace.NewSet(nil)},
			Table: func() (table.Table, error) { return whole, nil }}, nil
	}}
	got, err := page.Render("a", "{{on `p/a`}}{{table `c` `a`}}\n{{table}}\n{{table `b`}}", s)
	want := "| k | c | a |\n| ---: | ---: | ---: |\n| x | 3.00 | 1 |\n| y | 6.00 | 4 |\n" +
		"| k | a | b | c |\n| ---: | ---: | ---: | ---: |\n| x | 1 | 2.0 | 3.00 |\n| y | 4 | 5.0 | 6.00 |\n" +
		"| k | b |\n| ---: | ---: |\n| x | 2.0 |\n| y | 5.0 |"
	if err != nil || got != want {
		t.Errorf("tables:\n%s\n%v, want\n%s", got, err, want)
	}
}

// TestRunsOfConditions checks that the totals of a page are of the runs that satisfy all conditions, that no use
// changes the next one, and that a run that has not ended counts, without times.
func TestRunsOfConditions(t *testing.T) {
	var files []*trace.File
	for i := range 4 {
		f := &trace.File{End: &trace.End{Status: trace.Done, Seconds: float64(int(1) << i), CPUSeconds: 1}}
		f.Manifest.Labels = map[string]any{"as": string(rune('a' + i)), "odd": i%2 == 1}
		f.Manifest.N = i + 1
		f.Rows = []trace.Row{{Values: map[string]float64{trace.Passes: 1}}}
		files = append(files, f)
	}
	files[3].End = nil
	r := &page.Results{ID: "p/a", Evidence: expr.Evidence{Set: trace.NewSet(files)}, Files: files}
	s := page.Source{Results: func(string, string) (*page.Results, error) { return r, nil }}
	const show = "{{.Count}} {{.Seconds}} {{.CPU}} {{.N}}; {{end}}"
	got, err := page.Render("a", "{{on `p/a`}}{{with runs `as != \"a\"` `odd`}}"+show+"{{with runs `as == \"c\"` `!odd`}}"+
		show+"{{with runs `odd` `!odd`}}"+show+"{{with runs}}"+show, s)
	if want := "2 2 1 4; 1 4 1 3; 0 0 0 0; 4 7 3 4;"; err != nil || strings.TrimSpace(got) != want {
		t.Errorf("totals = %q, %v; want %q", got, err, want)
	}
}
