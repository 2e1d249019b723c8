package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/table"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestMeasuredInTolerances checks which part of the text on a tolerance explains the measured values, and what is left.
func TestMeasuredInTolerances(t *testing.T) {
	for text, want := range map[string][2]string{
		"":                                {"", ""},
		"within 2 %":                      {"within 2 %", ""},
		"within 2 % (measured: 1 (2) %)":  {"within 2 %", "Measured: 1 (2) %"},
		"a (measured 1), b":               {"a, b", "Measured 1"},
		"within 2 % (measured 1 %).":      {"within 2 %.", "Measured 1 %"},
		"Exact. Measured twice. As in 7.": {"Exact. As in 7.", "Measured twice."},
		"Exact. Measured twice.":          {"Exact.", "Measured twice."},
		"Exact. Measured twice":           {"Exact.", "Measured twice"},
		"exact; measured over 3 seeds":    {"exact", "Measured over 3 seeds"},
		"not measured here":               {"not measured here", ""},
	} {
		if rest, values := cutMeasured(text); rest != want[0] || values != want[1] {
			t.Errorf("%q: %q and %q, want %q and %q", text, rest, values, want[0], want[1])
		}
	}
}

// TestFindings checks the sentences about the claims of a figure, for readers who cannot see it: short measured values
// are part of them, long ones are not.
func TestFindings(t *testing.T) {
	s := &lang.Spec{Claims: []lang.Claim{{Says: "It is fast.\n"}, {Says: "It is exact."}, {Says: "It is new."}}}
	a := &Account{Spec: s, Verdicts: []claims.Verdict{{Claim: "c1", Verdict: claims.Reproduced, Measured: "3 = 3"},
		{Claim: "c2", Verdict: claims.NotReproduced, Measured: strings.Repeat("x", 200)},
		{Claim: "c3", Verdict: claims.NotTestable}}}
	want := []string{"Claim c1, reproduced: It is fast. Measured: 3 = 3.", "Claim c2, not reproduced: It is exact.",
		"Claim c3, not testable: It is new."}
	if diff := cmp.Diff(want, findings(a)); diff != "" {
		t.Errorf("findings differ (-want +got):\n%s", diff)
	}
}

// TestItem checks what the page shows of an account with several claims, a table and many runs: each claim with the
// texts of its spec and of its verdict, the outcomes that occur, and the columns of the table with numbers.
func TestItem(t *testing.T) {
	a := &Account{Spec: &lang.Spec{ID: "p/a/b", Kind: "figure"}, Explore: &explore.Data{Thinned: 7}}
	var want []claim
	for i, o := range []claims.Outcome{claims.Reproduced, claims.Tie, claims.Tie} {
		of := func(name string) string { return fmt.Sprint(name, " ", i) }
		a.Spec.Claims = append(a.Spec.Claims, lang.Claim{ID: of("id"), Says: " " + of("says") + "\n", Where: of("where"),
			Kind: []string{"M", "V", "E"}[i], Tol: of("tol") + " (measured " + of("value") + ")\n", Tested: of("tested")})
		a.Verdicts = append(a.Verdicts, claims.Verdict{Claim: of("id"), Verdict: o, Measured: of("measured"),
			Asserted: of("asserted"), Why: of("why"), Warnings: []string{of("warning"), of("second")}})
		want = append(want, claim{ID: of("id"), Says: of("says"), Where: of("where"),
			Kind: []string{"theorem", "printed value", "finding"}[i], Tolerance: of("tol"), Tested: of("tested"),
			outcome: outcomeOf(o), Measured: of("measured"), Asserted: of("asserted"), Why: of("why"),
			Values: "Measured " + of("value"), Warnings: []string{of("warning"), of("second")}})
	}
	x := 1.5
	a.Table = &table.Table{Key: "as", Columns: []table.Column{{Title: "x", Format: "%.1f", Compared: true}},
		Rows: []table.Row{{Key: "eg", Cells: []table.Cell{{Ours: &x, Printed: &x}}}}}
	for n := range 2 {
		a.Runs = nil
		for i := range mostRuns + n {
			a.Runs = append(a.Runs, Run{Key: fmt.Sprint("run ", i)})
		}
		it, err := newItem(a)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, it.Claims, cmp.AllowUnexported(claim{})); diff != "" {
			t.Errorf("claims differ (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]count{{outcome: outcomeOf(claims.Reproduced), N: 1}, {outcome: outcomeOf(claims.Tie), N: 2}},
			it.Counts, cmp.AllowUnexported(count{})); diff != "" {
			t.Errorf("counts differ (-want +got):\n%s", diff)
		}
		if it.ID != "p/a/b" || it.Title != "p/a/b" || it.Short != "a/b" || it.WideTable || it.More != n ||
			!slices.Equal(it.Listed, a.Runs[:mostRuns]) {
			t.Errorf("%s, %q, %s: wide table %v, %d runs and %d more", it.ID, it.Title, it.Short, it.WideTable,
				len(it.Listed), it.More)
		}
		if diff := cmp.Diff(map[int]bool{0: false, 1: true, 2: true, 3: true}, it.Right); diff != "" {
			t.Errorf("columns to the right differ (-want +got):\n%s", diff)
		}
		zip, err := base64.StdEncoding.DecodeString(string(it.Packed))
		if err != nil {
			t.Fatal(err)
		}
		reader, err := gzip.NewReader(bytes.NewReader(zip))
		if err != nil {
			t.Fatal(err)
		}
		var data explore.Data
		if err := json.NewDecoder(reader).Decode(&data); err != nil || data.Thinned != 7 {
			t.Errorf("packed curves = %+v, %v; want those of the account", data, err)
		}
	}
}

// TestRunsInWords checks how an account describes its runs, each field from a run in which it is known and from one in
// which it is not.
func TestRunsInWords(t *testing.T) {
	list := make([]*trace.File, 4)
	for i, status := range []trace.Status{trace.Done, trace.Failed, trace.Diverged, trace.Budget} {
		f := &trace.File{End: &trace.End{Status: status, Why: fmt.Sprint("why ", i, "\nmore")},
			Rows: make([]trace.Row, 3)}
		f.Manifest.Key, f.Manifest.Labels = fmt.Sprint("key ", i), map[string]any{"as": fmt.Sprint("eg ", i)}
		f.Manifest.Data = trace.DataManifest{Name: fmt.Sprint("data ", i), Synthetic: i == 1}
		f.Manifest.CPU, f.Manifest.Platform, f.Manifest.GoVersion = "cpu", "linux", "go1"
		f.Manifest.Commit = []string{"", "short", "0123456789abc", "0123456789abc"}[i]
		f.Manifest.Dirty, f.Manifest.Thinned = i%2 == 0, []int{0, 3, 9, 4}[i]
		list[i] = f
	}
	a := &Account{Spec: &lang.Spec{}}
	a.describe(&harness.Result{Spec: a.Spec, Files: list, Set: trace.NewSet(list), Planned: 5, Left: "a file"})
	var want []Run
	for i, r := range []Run{{Rows: "3", Data: "data 0"}, {Rows: "3", Data: "data 1 (generated)", Commit: "short"},
		{Rows: "3 of 9", Data: "data 2", Commit: "0123456789 (changed since)"},
		{Rows: "3 of 4", Data: "data 3", Commit: "0123456789"}} {
		r.Key, r.Of, r.Status = fmt.Sprint("key ", i), list[i].Describe(), string(list[i].Status())
		r.Why, r.Failed, r.Machine = fmt.Sprint("why ", i), i == 1 || i == 2, "cpu, linux, go1"
		want = append(want, r)
	}
	if diff := cmp.Diff(want, a.Runs); diff != "" {
		t.Errorf("runs differ (-want +got):\n%s", diff)
	}
	if a.Planned != 5 || len(a.LeftOut) == 0 || !strings.Contains(a.LeftOut[0], "a file") || len(a.Failed) == 0 {
		t.Errorf("planned %d, failed %q, left out %q", a.Planned, a.Failed, a.LeftOut)
	}
}

// TestHeadings checks the default heading of a page: the scales of the papers' experiments, or the title or the number
// of the user's experiments.
func TestHeadings(t *testing.T) {
	own, other := &item{Title: "mine"}, &item{Title: "other"}
	for _, c := range []struct {
		papers []*paper
		scales []string
		want   string
	}{
		{[]*paper{{Key: ownKey, Items: []*item{own}}}, []string{""}, "mine"},
		{[]*paper{{Key: ownKey, Items: []*item{own, other}}}, []string{""}, "Results of 2 experiments"},
		{[]*paper{{Key: "eg", Items: []*item{own}}}, []string{"smoke"}, "Reproduction report, scale smoke"},
		{[]*paper{{Key: ownKey, Items: []*item{own}}, {Key: "eg", Items: []*item{other}}}, []string{"smoke", "paper"},
			"Reproduction report, scale smoke, paper"},
		{nil, nil, "Reproduction report, scale "},
	} {
		if got := titleOf(&view{Papers: c.papers}, c.scales); got != c.want {
			t.Errorf("%d papers, scales %q: heading %q, want %q", len(c.papers), c.scales, got, c.want)
		}
	}
}

// TestSharedStyles checks that equal styles of several drawings have one class, that each class has its own rule, and
// that a style with colours has another rule for a dark page.
func TestSharedStyles(t *testing.T) {
	var s styles
	first := s.share(`<a style="fill:#000000"/><b style="x:1"/><c style="fill:#000000"/>`)
	second := s.share(`<d style="x:1"/><e style="stroke:#FFFFFF;fill:#FF0000"/>`)
	if first != "<a class=d0/><b class=d1/><c class=d0/>" || second != "<d class=d1/><e class=d2/>" {
		t.Errorf("drawings %s and %s, want the classes d0, d1, d0 and d1, d2", first, second)
	}
	red := night("#FF0000")
	want := ".d0{fill:#000000}\n[data-theme=dark] .d0{fill:#ECEEF0}\n.d1{x:1}\n.d2{stroke:#FFFFFF;fill:#FF0000}\n" +
		"[data-theme=dark] .d2{stroke:#15181C;fill:" + red + "}\n"
	if string(s.css()) != want || red == "#FF0000" {
		t.Errorf("rules:\n%s\nwant\n%s", s.css(), want)
	}
}

// TestNotes checks that an account has each line of its notes once, without the id of the experiment and without empty
// lines.
func TestNotes(t *testing.T) {
	a := &Account{Spec: &lang.Spec{ID: "p/a"}}
	a.note("%s", "p/a one\n\ntwo\np/a one")
	a.note("%s", "two\nthree p/a four")
	a.note("%s", "")
	if want := []string{"one", "two", "three p/a four"}; !slices.Equal(a.Notes, want) {
		t.Errorf("notes %q, want %q", a.Notes, want)
	}
}
