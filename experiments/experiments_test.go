package experiments_test

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/store"
	"github.com/gaplab/gaplab/harness/table/printed"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestSpecsPlan checks every spec of the package: its id and scales must be right, and each scale must have runs.
func TestSpecsPlan(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test plans all experiments at all scales")
	}
	for name, file := range parse(t) {
		if want := strings.TrimSuffix(name, ".yaml"); file.ID != want {
			t.Errorf("%s: id is %s, want %s", name, file.ID, want)
		}
		if got, want := file.Scales(), []string{"smoke", "quick", "paper"}; !slices.Equal(got, want) {
			t.Errorf("%s: scales %v, want %v", name, got, want)
		}
		for _, scale := range file.Scales() {
			s := at(t, file, scale)
			runs, err := s.Plan()
			if err != nil {
				t.Errorf("%s at scale %s: %v", name, scale, err)
			}
			if len(runs) == 0 {
				t.Errorf("%s at scale %s plans no run", name, scale)
			}
		}
	}
}

// TestSmokeNeedsNoData checks that the smoke scale, which runs in a fresh clone, uses generated data only.
func TestSmokeNeedsNoData(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test parses all specs")
	}
	for name, file := range parse(t) {
		for _, p := range at(t, file, "smoke").Problems {
			for _, d := range p.Datasets {
				entry, err := datasets.Find(catalogue.DataSets(), d.Name)
				if err != nil || !entry.Synthetic {
					t.Errorf("%s: the smoke scale reads %s, which is not generated and so missing in a fresh clone", name, d.Label())
				}
			}
		}
	}
}

// TestClaimsAreComplete checks that each claim names its section, kind, data and tolerance, and that the claims of an
// experiment are in order. (If a claim is lost, TestIndexIsCurrent fails.)
func TestClaimsAreComplete(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test parses all specs")
	}
	for name, file := range parse(t) {
		s := at(t, file, "paper")
		for i, c := range s.Claims {
			if i > 0 && number(c.ID) <= number(s.Claims[i-1].ID) {
				t.Errorf("%s: claim %s comes after %s; want ascending numbers", name, c.ID, s.Claims[i-1].ID)
			}
			for field, text := range map[string]string{"where": c.Where, "kind": c.Kind, "data": c.Data, "tol": c.Tol} {
				if text == "" {
					t.Errorf("%s:%d: claim %s has no %s", name, c.Line, c.ID, field)
				}
			}
		}
	}
}

// TestPrintedNumbers checks that the running totals in table 2 are the sums of its rows; an error of copying a row
// would break them.
func TestPrintedNumbers(t *testing.T) {
	data, err := fs.ReadFile(experiments.FS, "eg/tab2.csv")
	if err != nil {
		t.Fatal(err)
	}
	table, err := printed.Parse("tab2.csv", data)
	if err != nil {
		t.Fatal(err)
	}
	if len(table.Rows) != 24 {
		t.Fatalf("tab2.csv has %d rows, want 24", len(table.Rows))
	}
	sum := 0.0
	for i, row := range table.Rows {
		sum += row[table.Column("iterations")].(float64)
		// The paper cuts the decimals of the iterations off.
		if d := row[table.Column("total")].(float64) - sum; d < -0.005 || d > 0.01*float64(i) {
			t.Errorf("row %d: the total is %v, but the sum of the iterations is %v", i+1, row[table.Column("total")], sum)
		}
	}
}

// parse returns every spec of the package by its file name.
func parse(t *testing.T) map[string]*lang.File {
	t.Helper()
	names, err := fs.Glob(experiments.FS, "*/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	all, err := harness.Experiments()
	if err != nil {
		t.Error(err)
	}
	files := map[string]*lang.File{}
	for _, e := range all {
		files[strings.TrimPrefix(e.Name, "experiments/")] = e.File
	}
	for _, name := range names {
		if files[name] == nil {
			t.Errorf("harness.Experiments does not list %s", name)
		}
	}
	return files
}

// at returns the experiment at a scale.
func at(t *testing.T, file *lang.File, scale string) *lang.Spec {
	t.Helper()
	s, err := file.At(scale, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// number returns the number in the id of a claim: 12 for c12.
func number(id string) int {
	n := 0
	for _, r := range strings.TrimPrefix(id, "c") {
		n = 10*n + int(r-'0')
	}
	return n
}

// TestPapersSayWhatTheyAre checks that the README.md of each paper begins with a title and a citation.
func TestPapersSayWhatTheyAre(t *testing.T) {
	papers := experiments.Papers()
	index, err := experiments.Index()
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]bool{} // folders of papers; other folders have experiments of no paper
	for id, item := range index {
		published[item.Paper] = item.Paper != ""
		key, _, _ := strings.Cut(id, "/")
		if !slices.ContainsFunc(papers, func(p experiments.Paper) bool { return p.Key == key }) {
			t.Errorf("%s: Papers does not list %s", id, key)
		}
	}
	citation := regexp.MustCompile(`^[A-Z].* and .*\*[A-Z][^*]+\*.*\b(19|20)\d\d\b.*\.$`)
	for _, p := range papers {
		if published[p.Key] && (p.Title == "" || !citation.MatchString(p.Citation)) {
			t.Errorf("%s: title %q, citation %q; want a first paragraph with the authors, the *title* and the year", p.Key,
				p.Title, p.Citation)
		}
	}
}

// TestReferencesKeepWeakDuality checks the references of every experiment, with which the exact gate compares new runs.
// Every dual must lie below every primal of the same problem, whichever solvers they come from. No run may have failed,
// no row may have a warning, and each solver must support at least one problem of its experiment.
func TestReferencesKeepWeakDuality(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test reads all references")
	}
	bounded := 0
	for _, id := range experiments.IDs() {
		files, err := store.Keep("../results").Read(id, lang.ScaleSmoke)
		if err != nil {
			t.Error(err)
			continue
		}
		set := trace.NewSet(files)
		if set.Err != nil {
			t.Errorf("%s: %v", id, set.Err)
		}
		for _, c := range set.Curves {
			if c.Has(trace.OptLow) {
				bounded++
			}
		}
		applies := map[any]bool{} // solvers that support a problem of the experiment
		for _, f := range files {
			applies[f.Manifest.Labels["as"]] = applies[f.Manifest.Labels["as"]] || f.Status() != trace.Unsupported
		}
		for _, f := range files {
			if f.Status() == trace.Failed || f.Status() == trace.Unsupported && !f.Manifest.Outside &&
				!applies[f.Manifest.Labels["as"]] {
				t.Errorf("%s: %s: %s", id, f.Describe(), f.End.Why)
			}
			for _, row := range f.Rows {
				for _, w := range row.Warnings {
					t.Errorf("%s: %s: %s", id, f.Describe(), w)
				}
			}
		}
	}
	if bounded < 1000 {
		t.Errorf("only %d curves have a bound: this test does not find the references", bounded)
	}
}
