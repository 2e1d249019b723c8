package report

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"math/rand/v2"
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

// TestChangesOfCode checks what is said of the code that made a run, beside that of this program, for each combination
// of revisions and hashes.
func TestChangesOfCode(t *testing.T) {
	for _, c := range []struct {
		made      int // revision; 0: the run does not use the component
		hash, now string
		want      string
	}{
		{0, "", "a", ""}, {0, "a", "a", ""}, {2, "a", "a", "same code now"}, {2, "a", "b", "other code now"},
		{2, "", "b", ""}, {2, "", "", "same code now"}, {2, "a", "", "other code now"}, {1, "a", "a", "revision 2 now"},
		{3, "a", "b", "revision 2 now"}, {1, "", "", "revision 2 now"},
	} {
		m := trace.Manifest{}
		m.Revisions, m.Sources = map[string]int{"gone": 1}, map[string]string{"gone": "x"}
		if c.made > 0 {
			m.Revisions["solver"] = c.made
		}
		if c.hash != "" {
			m.Sources["solver"] = c.hash
		}
		want := map[string]string{}
		if c.want != "" {
			want["solver"] = c.want
		}
		got := changes(m, []component{{"other", 1, "y"}, {"solver", 2, c.now}})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v: changes differ (-want +got):\n%s", c, diff)
		}
	}
}

// TestEndings checks the text on the end of a run, with each value that is known and without those that are not.
func TestEndings(t *testing.T) {
	row := func(values map[string]float64) []trace.Row { return []trace.Row{{}, {Values: values}} }
	for want, f := range map[string]*trace.File{
		"interrupted, without an end line": {},
		"failed: a panic, no rows":         {End: &trace.End{Status: trace.Failed, Why: "a panic\nstack"}},
		"done: 5 passes, 1.235 s of CPU, resumed 2 times, 2 rows, passes 5, primal 0.25, dual 0.125": {Rows: row(
			map[string]float64{trace.Passes: 5, trace.Primal: 0.25, trace.Dual: 0.125, trace.Gap: 7}),
			End: &trace.End{Status: trace.Done, Why: "5 passes", CPUSeconds: 1.23456, Resumed: 2, Rows: 2}},
		"budget, resumed 1 time, 1 row, primal 1.23456789": {Rows: row(map[string]float64{trace.Primal: 1.234567891}),
			End: &trace.End{Status: trace.Budget, Resumed: 1, Rows: 1}},
	} {
		if got := ending(f); got != want {
			t.Errorf("end %q, want %q", got, want)
		}
	}
}

// TestFactsOfARun checks all facts about the origin of a run, of one of which everything is known and of one of which
// as little as possible.
func TestFactsOfARun(t *testing.T) {
	load := func(x float64) *float64 { return &x }
	full := &trace.File{End: &trace.End{Status: trace.Done, Load: load(2)}}
	m := &full.Manifest
	m.Data = trace.DataManifest{Name: "digits", Synthetic: true, Checksum: "c0", Files: map[string]string{"b": "f1",
		"a": "f0"}}
	m.N, m.Validation = 100, 20
	m.Revisions, m.Sources = map[string]int{"eg": 3, "chain": 1}, map[string]string{"eg": "s1"}
	m.Commit, m.Dirty, m.Program = "0123456789abcdef", true, "p0"
	m.CPU, m.Platform, m.GoVersion, m.Processors = "cpu", "linux", "go1", 4
	m.Command, m.Start, m.Load, m.Workers = []string{"gaplab", "run"}, "today", load(1), 3
	m.Auto, m.Because, m.Warnings = "eg: fast", "of --force", []string{"w1", "w2"}
	plain := &trace.File{End: &trace.End{Status: trace.Done}}
	plain.Manifest.Data = trace.DataManifest{Name: "own", Checksum: "c1"}
	plain.Manifest.N, plain.Manifest.Alone, plain.Manifest.Workers = 1, true, 3
	for _, c := range []struct {
		file *trace.File
		want []Fact
	}{
		{full, []Fact{{"data", "digits (generated), 100 examples and 20 to validate, SHA-256 c0"}, {"", "a, SHA-256 f0"},
			{"", "b, SHA-256 f1"}, {"code", "chain, revision 1"},
			{"code", "eg, revision 3, sources s1: same code now"},
			{"program", "commit 0123456789abcdef (changed since), all sources p0"}, {"command", "gaplab run"},
			{"machine", "cpu, linux, go1, 4 processors"},
			{"ran", "in a process with other runs, 3 at a time, from today, load 1 to 2"}, {"solver", "eg: fast"},
			{"because", "of --force"}, {"ended", "done, no rows"}, {"note", "w1"}, {"note", "w2"}}},
		{plain, []Fact{{"data", "own, 1 example, SHA-256 c1"}, {"program", "commit unknown"}, {"command", ""},
			{"machine", ", , "}, {"ran", "alone in its process, from "}, {"solver", ""}, {"because", ""},
			{"ended", "done, no rows"}}},
	} {
		if diff := cmp.Diff(c.want, originOf(c.file, []component{{"eg", 3, "s1"}})); diff != "" {
			t.Errorf("facts differ (-want +got):\n%s", diff)
		}
	}
}

// TestOriginsAreFew checks that the origin of many runs names each fact once, and at most twelve of a kind; that it has
// no facts about single runs; and that only the first fact of a kind has the name of the kind.
func TestOriginsAreFew(t *testing.T) {
	for _, n := range []int{1, 2, 12, 13, 20} {
		var files []*trace.File
		for i := range 2 * n {
			f := &trace.File{End: &trace.End{Status: trace.Failed, Why: fmt.Sprint(i)}}
			f.Manifest.CPU, f.Manifest.Commit, f.Manifest.Warnings = fmt.Sprint("cpu", i/2), "c", []string{fmt.Sprint(i)}
			files = append(files, f)
		}
		var got []Fact
		name := ""
		for _, fact := range origins(files) {
			if fact.Name != "" {
				name = fact.Name
			}
			switch name {
			case "ran", "ended", "note":
				t.Errorf("%d machines: the fact %v is about one run", n, fact)
			case "machine":
				got = append(got, fact)
			}
		}
		var want []Fact
		for i := range min(n, mostTexts) {
			want = append(want, Fact{"", fmt.Sprintf("cpu%d, , ", i)})
		}
		if n > mostTexts {
			want = append(want, Fact{"", fmt.Sprintf("and %d more; `gaplab show KEY` prints them for each run", n-mostTexts)})
		}
		want[0].Name = "machine"
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%d machines: facts differ (-want +got):\n%s", n, diff)
		}
	}
}

// TestFactsOfAnExperiment checks what the page says an experiment reproduces, and its number of runs.
func TestFactsOfAnExperiment(t *testing.T) {
	runs := func(n, failed int) (out []Run) {
		for i := range n {
			out = append(out, Run{Failed: i < failed})
		}
		return out
	}
	for _, c := range []struct {
		paper *lang.Paper
		kind  string
		a     Account
		want  []string
	}{
		{&lang.Paper{Figure: 3}, "figure", Account{Runs: runs(4, 0)}, []string{"figure 3", "4 runs"}},
		{&lang.Paper{Figure: 3, Table: 2}, "ablation", Account{Runs: runs(1, 0)}, []string{"figure 3", "ablation", "1 run"}},
		{&lang.Paper{Table: 2}, "table", Account{Runs: runs(3, 2)}, []string{"table 2", "3 runs", "2 failed"}},
		{&lang.Paper{Section: "7.1"}, "section", Account{Runs: runs(3, 1), Share: "3 of 4 runs"},
			[]string{"section 7.1", "3 of 4 runs", "1 failed"}},
		{&lang.Paper{}, "theorem", Account{Missing: errors.New("none")}, []string{"theorem", "no results"}},
		{nil, "own", Account{}, []string{"own", "0 runs"}},
	} {
		c.a.Spec = &lang.Spec{}
		c.a.Spec.Paper, c.a.Spec.Kind = c.paper, c.kind
		if got := factsOf(&c.a); !slices.Equal(got, c.want) {
			t.Errorf("%+v, %s: facts %q, want %q", c.paper, c.kind, got, c.want)
		}
	}
}

// TestCounts checks the numbers and the shares of claims by outcome: the shares of a paper add up to 100, and the total
// of all papers is the sum of their numbers.
func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for range 100 {
		n := map[claims.Outcome]int{}
		sum := 0
		for _, o := range claims.Outcomes() {
			if rng.IntN(3) > 0 {
				n[o] = rng.IntN(9)
				sum += n[o]
			}
		}
		p := &paper{Key: "eg"}
		p.count(n)
		share := 0.0
		for i, o := range claims.Outcomes() {
			c := p.Counts[i]
			if c.Class != string(o) || c.N != n[o] || c.Paper != "eg" || sum > 0 && c.Share != 100*float64(n[o])/float64(sum) {
				t.Fatalf("claims %v: count %+v of %s", n, c, o)
			}
			share += c.Share
		}
		if p.Claims != sum || len(p.Counts) != len(claims.Outcomes()) || sum > 0 && (share < 99.999 || share > 100.001) {
			t.Fatalf("claims %v: %d claims, shares add up to %v; want %d and 100", n, p.Claims, share, sum)
		}
	}
}

// TestCountsOfPapers checks that the numbers of a paper are those of its experiments only, that the total is that of
// all experiments, and that papers with more claims come first, otherwise in the order of the experiments.
func TestCountsOfPapers(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 11))
	inside := template.Must(template.New("inside").Parse(""))
	for range 50 {
		var accounts []*Account
		n, sum := map[string]map[claims.Outcome]int{}, map[string]int{}
		var keys []string
		for _, id := range []string{"eg/fig06", "rsd/fig1", "eg/tab2", "bethe/fig1", "rsd/fig2"}[:1+rng.IntN(5)] {
			a := &Account{Spec: &lang.Spec{ID: id, BuiltIn: true}}
			key, _, _ := strings.Cut(id, "/")
			if n[key] == nil {
				n[key], keys = map[claims.Outcome]int{}, append(keys, key)
			}
			for range rng.IntN(6) {
				o := claims.Outcomes()[rng.IntN(3)]
				a.Spec.Claims = append(a.Spec.Claims, lang.Claim{})
				a.Verdicts = append(a.Verdicts, claims.Verdict{Verdict: o})
				n[key][o]++
				sum[key]++
			}
			accounts = append(accounts, a)
		}
		slices.SortStableFunc(keys, func(a, b string) int { return sum[b] - sum[a] })
		v, err := newView(Page{Accounts: accounts}, inside)
		if err != nil || len(v.Papers) != len(keys) {
			t.Fatalf("error %v, %d papers; want %v", err, len(v.Papers), keys)
		}
		total := 0
		for i, p := range v.Papers {
			if p.Key != keys[i] || p.Claims != sum[keys[i]] {
				t.Errorf("paper %d is %s with %d claims, want %s with %d", i, p.Key, p.Claims, keys[i], sum[keys[i]])
			}
			for _, c := range p.Counts {
				if want := n[p.Key][claims.Outcome(c.Class)]; c.N != want {
					t.Errorf("%s: %d claims are %s, want %d", p.Key, c.N, c.Class, want)
				}
			}
			total += sum[p.Key]
		}
		for _, c := range v.Total.Counts {
			want := 0
			for _, of := range n {
				want += of[claims.Outcome(c.Class)]
			}
			if c.N != want || v.Total.Claims != total {
				t.Errorf("%d of all %d claims are %s, want %d of %d", c.N, v.Total.Claims, c.Class, want, total)
			}
		}
	}
}

// TestOrderOfExperiments checks the order of the experiments of a paper: figures by number, tables by number, other
// statements, and experiments that the paper does not have.
func TestOrderOfExperiments(t *testing.T) {
	of := func(id, kind string, p *lang.Paper) *item {
		s := &lang.Spec{ID: id, Kind: kind}
		s.Paper = p
		return &item{Account: &Account{Spec: s}, ID: id}
	}
	list := []*item{of("none", "figure", nil), of("own", "own", &lang.Paper{Figure: 1}),
		of("sec", "section", &lang.Paper{Section: "2"}), of("t2", "table", &lang.Paper{Table: 2}),
		of("t1", "table", &lang.Paper{Table: 1}), of("f10", "figure", &lang.Paper{Figure: 10}),
		of("f9", "figure", &lang.Paper{Figure: 9}), of("sec3", "section", &lang.Paper{Section: "3"})}
	slices.SortStableFunc(list, byWeight)
	var got []string
	for _, it := range list {
		got = append(got, it.ID)
	}
	if diff := cmp.Diff([]string{"f9", "f10", "t1", "t2", "sec", "sec3", "none", "own"}, got); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
}

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
