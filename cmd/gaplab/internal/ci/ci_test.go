package ci

import (
	"encoding/xml"
	"errors"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/gate"
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
