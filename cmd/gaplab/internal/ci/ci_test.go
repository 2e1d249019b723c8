package ci

import (
	"encoding/xml"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/gate"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/report"
)

func outcome() []Suite {
	return []Suite{
		{Experiment: "my/a", Argument: "a.yaml", File: "a,b.yaml", Curves: []gate.Comparison{
			{Experiment: "my/a", Curve: "eg C=1", OK: true},
			{Experiment: "my/a", Curve: "sgd|C=1", Message: "primal 2, was 1 (100 %)\n<again>", Work: 1.5,
				Changed: []string{"solver sgd", "rows"}},
		}, Err: errors.New("weak duality")},
		{Experiment: "my/b", Argument: "b.yaml", Curves: []gate.Comparison{
			{Experiment: "my/b", Curve: "sgd", Message: "gone", Changed: []string{"solver sgd"}}}},
		{Experiment: "my/c", Curves: []gate.Comparison{{Experiment: "my/c", Message: "an orphan"}}},
	}
}

// TestJUnit checks that the counts of tests and failures agree with the listed cases, and that any text gives
// well-formed XML.
func TestJUnit(t *testing.T) {
	var got testSuites
	text := JUnit(outcome())
	if err := xml.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if got.Tests != 5 || got.Failures != 3 || got.Errors != 1 || len(got.Suites) != 3 || got.Suites[0].Tests != 3 {
		t.Errorf("the counts do not agree with the cases:\n%s", text)
	}
	if f := got.Suites[0].Cases[1].Failure; f == nil || f.Message != "primal 2, was 1 (100 %)\n<again>" {
		t.Errorf("failure of the second case = %+v, want the whole message", f)
	}
	if !strings.Contains(JUnit([]Suite{{Err: errors.New("a\x1b[31m bell")}}), "a[31m bell") {
		t.Error("a character that XML does not allow is not dropped")
	}
}

// TestAnnotations checks that each curve that moved and each error has a line, with colons, commas, percent signs and
// line ends escaped.
func TestAnnotations(t *testing.T) {
	want := `::error file=a%2Cb.yaml,title=my/a sgd|C=1 moved::primal 2, was 1 (100 %25)%0A<again>
::error file=a%2Cb.yaml,title=my/a::weak duality
::error title=my/b sgd moved::gone
::error title=my/c moved::an orphan
`
	if got := Annotations(outcome()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestMarkdown checks that each curve that moved has a row with the ratio of its work, new to old, and that the advice
// names the files of the experiments.
func TestMarkdown(t *testing.T) {
	got := Markdown(outcome())
	for _, want := range []string{"3 of 4 curves moved",
		`| my/a | sgd\|C=1 | × 1.5 | primal 2, was 1 (100 %) &lt;again> |`, "**my/a**: weak duality",
		"raise the revision of solver sgd, whose code has changed, then run: gaplab baseline update a.yaml b.yaml"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if got := Markdown(outcome()[2:]); !strings.Contains(got, "each line names the remedy") {
		t.Errorf("a summary with only a reference that belongs to no experiment:\n%s", got)
	}
}

// TestWorkInMarkdown checks the whole summary of curves that need more, less, or an unknown amount of work, and of a
// curve that has not moved.
func TestWorkInMarkdown(t *testing.T) {
	var all []gate.Comparison
	for _, c := range []gate.Comparison{{Curve: "slower", Work: 1.5}, {Curve: "faster", Work: 0.5},
		{Curve: "tiny", Work: 0.001}, {Curve: "as fast", Work: 1}, {Curve: "unknown"},
		{Curve: "the same", Work: 1, OK: true}} {
		c.Experiment, c.Message = "my/a", "moved"
		all = append(all, c)
	}
	want := "## gaplab check\n\n5 of 6 curves moved.\n\n| experiment | curve | work | what moved |\n" +
		"| --- | --- | ---: | --- |\n| my/a | slower | × 1.5 | moved |\n| my/a | faster | × 0.5 | moved |\n" +
		"| my/a | tiny | × 0.001 | moved |\n| my/a | as fast | × 1 | moved |\n| my/a | unknown |  | moved |\n\n" +
		WhatToDo([]Suite{{Curves: all}}) + "\n"
	if got := Markdown([]Suite{{Experiment: "my/a", Curves: all}}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if got := Markdown([]Suite{{Curves: all[5:]}}); got != "## gaplab check\n\n0 of 1 curves moved.\n" {
		t.Errorf("the summary without a curve that moved:\n%s", got)
	}
}

// TestRemedy checks which revision the advice names: that of a component whose code has changed for all curves that
// moved. It names each experiment with such a curve once, and leaves out references that belong to no experiment.
func TestRemedy(t *testing.T) {
	moved := func(argument string, changed ...[]string) Suite {
		s := Suite{Argument: argument, Curves: []gate.Comparison{{OK: true, Changed: []string{"rows"}}}}
		for _, c := range changed {
			s.Curves = append(s.Curves, gate.Comparison{Changed: c})
		}
		return s
	}
	both := []string{"solver eg", "model chain"}
	const raise = "if this is intended, raise the revision of "
	const run = ", whose code has changed, then run: gaplab baseline update "
	for want, suites := range map[string][]Suite{
		"each line names the remedy":                           {moved("a"), moved("", both)},
		"if this is intended, run: gaplab baseline update a":   {moved("a", nil)},
		"if this is intended, run: gaplab baseline update a b": {moved("a", both, nil), moved("b", both)},
		raise + "solver eg or model chain" + run + "a":         {moved("a", both, both), moved("b")},
		raise + "model chain" + run + "a b":                    {moved("a", both), moved("b", both[1:])},
		"if this is intended, run: gaplab baseline update b a": {moved("b", both[:1]), moved("a", both[1:], both)},
		raise + "solver eg" + run + "a":                        {moved("", nil), moved("a", both[:1], both)},
	} {
		if got := WhatToDo(suites); got != want {
			t.Errorf("%+v: %q, want %q", suites, got, want)
		}
	}
}

// TestLongMarkdown checks that a summary lists at most 500 curves, and says so only if there are more.
func TestLongMarkdown(t *testing.T) {
	for _, n := range []int{499, 500, 501, 777} {
		got := Markdown([]Suite{{Curves: make([]gate.Comparison, n)}})
		rows, says := strings.Count(got, "\n|")-2, strings.Contains(got, "first 500.")
		if rows != min(n, 500) || says != (n > 500) {
			t.Errorf("%d curves: %d rows, says that it lists the first: %v", n, rows, says)
		}
	}
}

// TestEscapes checks that each character with a meaning in a table of Markdown, or in a command of GitHub Actions, is
// escaped, and that other text stays as it is.
func TestEscapes(t *testing.T) {
	for _, c := range []struct{ text, cell, property, data string }{
		{"plain text, 1.5 > 1", "plain text, 1.5 > 1", "plain text%2C 1.5 > 1", "plain text, 1.5 > 1"},
		{"a|b", `a\|b`, "a|b", "a|b"}, {"a\nb", "a b", "a%0Ab", "a%0Ab"}, {"a*b", `a\*b`, "a*b", "a*b"},
		{"a_b", `a\_b`, "a_b", "a_b"}, {"<b>", "&lt;b>", "<b>", "<b>"}, {"`b`", "\\`b\\`", "`b`", "`b`"},
		{"C:b", "C:b", "C%3Ab", "C:b"}, {"5 %", "5 %", "5 %25", "5 %25"}, {"a\rb", "a\rb", "a%0Db", "a%0Db"},
	} {
		if cell(c.text) != c.cell || property(c.text) != c.property || data(c.text) != c.data {
			t.Errorf("%q: in a cell %q, as a property %q, as data %q; want %q, %q, %q", c.text, cell(c.text),
				property(c.text), data(c.text), c.cell, c.property, c.data)
		}
	}
}

// TestWholeJUnit checks the whole text of an outcome.
func TestWholeJUnit(t *testing.T) {
	want := xml.Header + `<testsuites name="gaplab check" tests="3" failures="1" errors="1">
  <testsuite name="my/a" tests="3" failures="1" errors="1">
    <testcase classname="my/a" name="eg" file="a.yaml"></testcase>
    <testcase classname="my/a" name="reference" file="a.yaml">
      <failure message="gone" type="moved">gone</failure>
    </testcase>
    <testcase classname="my/a" name="comparison" file="a.yaml">
      <error message="weak duality" type="error">weak duality</error>
    </testcase>
  </testsuite>
</testsuites>
`
	got := JUnit([]Suite{{Experiment: "my/a", File: "a.yaml", Err: errors.New("weak duality"),
		Curves: []gate.Comparison{{Curve: "eg", OK: true}, {Message: "gone"}}}})
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// account returns the account of an experiment with claims of these outcomes, and with two of two runs.
func account(id string, outcomes ...claims.Outcome) *report.Account {
	a := &report.Account{Spec: &lang.Spec{ID: id, Title: "T_" + id, Scale: "smoke"}, Planned: 2,
		Runs: make([]report.Run, 2), Command: "gaplab run " + id}
	for i, o := range outcomes {
		claim := fmt.Sprint("c", i+1)
		a.Spec.Claims = append(a.Spec.Claims, lang.Claim{ID: claim, Says: " says " + claim + "\n"})
		v := claims.Verdict{Experiment: id, Claim: claim, Verdict: o, Measured: "1 < 2", Why: "why"}
		a.Verdicts = append(a.Verdicts, v)
	}
	return a
}

const reportHead = `
| experiment | title | claims | reproduced | not | tie | not testable | not measured | results |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
`

// TestReport checks the whole summary of experiments: with claims of all outcomes, without results, with failures, and
// with a part of the runs.
func TestReport(t *testing.T) {
	a := account("p/a", claims.Reproduced, claims.NotReproduced, claims.Tie, claims.NotTestable, claims.NotMeasured,
		claims.NotReproduced)
	a.Verdicts[5].Measured = ""
	none := account("p/b", claims.NotMeasured)
	none.Missing = errors.New("no results")
	part := account("p/c", claims.Reproduced)
	part.Share, part.Failed = "1 of 2 runs", []string{"x"}
	want := `## A \| title

2 claims of 3 experiments reproduced, 2 not, 1 tie, 1 not testable, 2 not measured: 8 in all.

| not reproduced | claim | measured |
| --- | --- | --- |
| p/a/c2 | says c2 | 1 &lt; 2 |
| p/a/c6 | says c6 | why |
` + reportHead + `| p/a | T\_p/a | 6 | 1 | 2 | 1 | 1 | 1 | 2 of 2 runs, scale smoke |
| p/b | T\_p/b | 1 | 0 | 0 | 0 | 0 | 1 | none: gaplab run p/b |
| p/c | T\_p/c | 1 | 1 | 0 | 0 | 0 | 0 | 1 of 2 runs, 1 failure, scale smoke |
`
	if got := Report("A | title", []*report.Account{a, none, part}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	want = "## gaplab report\n\n0 claims of 1 experiment reproduced, 0 not, 0 ties, 0 not testable, 0 not measured: 0 " +
		"in all.\n" + reportHead + "| p/d | T\\_p/d | 0 | 0 | 0 | 0 | 0 | 0 | 2 of 2 runs, scale smoke |\n"
	if got := Report("", []*report.Account{account("p/d")}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLongReport checks that the table of all experiments is folded if there are more than 12, and that at most 500
// claims are listed.
func TestLongReport(t *testing.T) {
	for _, n := range []int{1, 12, 13, 600} {
		var all []*report.Account
		for i := range n {
			all = append(all, account(fmt.Sprint("p/", i), claims.NotReproduced))
		}
		got := Report("", all)
		begin, end := strings.Count(got, "<details>"), strings.Count(got, "</details>")
		rows, says := strings.Count(got, "| says c1 |"), strings.Contains(got, "\nThe table shows the first 500.\n")
		if folded := n > 12; (begin == 1) != folded || begin != end || rows != min(n, 500) || says != (n > 500) {
			t.Errorf("%d experiments: %d folds begin, %d end, %d claims are listed; as the first: %v", n, begin, end,
				rows, says)
		}
	}
}
