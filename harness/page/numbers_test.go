package page_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/page"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestNumbersAreReadBack checks on random numbers and formats that a printed number, without the commas and with a
// hyphen as its sign, is the number that package fmt prints, and that its commas separate groups of three digits.
func TestNumbersAreReadBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(35, 28))
	verbs := []string{"%.0f", "%.2f", "%.3g", "%.1e", "%v", "%d", "%+.1f"}
	for range 300 {
		verb := verbs[rng.IntN(len(verbs))]
		x := math.Trunc(rng.NormFloat64()*math.Pow(10, float64(rng.IntN(9)))*100) / 100
		if verb == "%d" {
			x = math.Trunc(x)
		}
		got, err := page.Render("a.md.tmpl", fmt.Sprintf("%s{{value `%s` `%s`}}", begin, verb,
			strconv.FormatFloat(x, 'f', -1, 64)),
			source())
		if err != nil {
			t.Fatal(err)
		}
		plain := strings.NewReplacer(",", "", "−", "-").Replace(got)
		want := fmt.Sprintf(verb, x)
		switch {
		case verb == "%d":
			want = fmt.Sprintf("%d", int64(x))
		case verb == "%v" && x == math.Trunc(x) && math.Abs(x) < 1e6:
			want = fmt.Sprintf("%.0f", x)
		case verb == "%v":
			want = fmt.Sprintf("%.4g", x)
		}
		a, errA := strconv.ParseFloat(plain, 64)
		b, errB := strconv.ParseFloat(want, 64)
		if errA != nil || errB != nil || a != b {
			t.Errorf("%s of %v is printed as %s, want the number %s", verb, x, got, want)
		}
		whole, _, _ := strings.Cut(strings.TrimLeft(strings.TrimPrefix(got, "−"), "+-"), ".")
		whole, _, _ = strings.Cut(whole, "e")
		for i, group := range strings.Split(whole, ",") {
			if len(group) > 3 || i > 0 && len(group) != 3 {
				t.Errorf("%s of %v is printed as %s, with a group of %d digits", verb, x, got, len(group))
			}
		}
	}
}

// TestVerdictsOfEachOutcome checks that each function of verdicts returns those of its outcome, in their order.
func TestVerdictsOfEachOutcome(t *testing.T) {
	outcomes := map[string]claims.Outcome{"Reproduced": claims.Reproduced, "NotReproduced": claims.NotReproduced,
		"Tie": claims.Tie, "NotTestable": claims.NotTestable, "NotMeasured": claims.NotMeasured}
	s := source()
	var all []claims.Verdict
	s.Verdicts = func([]string, string) ([]claims.Verdict, error) { return all, nil }
	want := map[string][]string{}
	for i := range 3 {
		for name, outcome := range outcomes {
			id := fmt.Sprint("c", len(all))
			all = append(all, claims.Verdict{Experiment: "toy/fig1", Claim: id, Verdict: outcome})
			if want[name] = append(want[name], "`fig1/"+id+"`"); i == 2 && name == "Tie" {
				break
			}
		}
	}
	for name := range outcomes {
		got, err := page.Render("a.md.tmpl", fmt.Sprintf(`{{(claims "toy").%s.IDs}}`, name), s)
		if err != nil || got != strings.Join(want[name], ", ") {
			t.Errorf("%s = %q, %v; want %q", name, got, err, want[name])
		}
	}
	got, err := page.Render("a.md.tmpl", `{{len (claims "toy")}}`, s)
	if err != nil || got != fmt.Sprint(len(all)) {
		t.Errorf("number of verdicts = %q, %v; want %d", got, err, len(all))
	}
}

// TestClaimHasItsWholeName checks that a page shows the verdict of the claim that it names, and not of a claim whose
// name begins or ends in the same way.
func TestClaimHasItsWholeName(t *testing.T) {
	s := source()
	names := []string{"c1", "c", "c10", "10", "1", "c12", "cc1", "c100", "2"}
	s.Verdicts = func([]string, string) (all []claims.Verdict, err error) {
		for _, name := range names {
			all = append(all, claims.Verdict{Experiment: "toy/fig1", Claim: name, Verdict: claims.Reproduced,
				Measured: "of " + name})
		}
		return all, nil
	}
	for _, name := range names {
		got, err := page.Render("a.md.tmpl", fmt.Sprintf(`{{(claim "toy/fig1/%s").Measured}}`, name), s)
		if err != nil || got != "of "+name {
			t.Errorf("claim %s: %q, %v; want %q", name, got, err, "of "+name)
		}
	}
	for _, name := range []string{"c11", "c1000", "0", "C1", "c 1"} {
		_, err := page.Render("a.md.tmpl", fmt.Sprintf(`{{(claim "toy/fig1/%s").Measured}}`, name), s)
		if want := "toy/fig1 has no claim " + name + "; accepted: c1, c, c10"; err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("claim %s: error %v, want %q", name, err, want)
		}
	}
}

// TestPrintedBounds checks how a page prints numbers of a run that ended at its limit.
func TestPrintedBounds(t *testing.T) {
	f := &trace.File{End: &trace.End{Status: trace.Budget, Why: "60 s"}}
	f.Manifest.Labels = map[string]any{"as": "slow"}
	f.Rows = []trace.Row{{Values: map[string]float64{"passes": 1500, "primal": 1}}}
	s := source()
	s.Results = func(id, scale string) (*page.Results, error) {
		files := []*trace.File{f}
		return &page.Results{ID: id, Scale: scale, Evidence: expr.Evidence{Set: trace.NewSet(files)}, Files: files}, nil
	}
	for form, want := range map[string]string{"x": "≥ 1,500", "x / 3": "≥ 500", "-x": "≤ −1,500", "3000 / x": "≤ 2",
		"2 - x": "≤ −1,498"} {
		expression := strings.ReplaceAll(form, "x", `final("slow", "passes")`)
		got, err := page.Render("a.md.tmpl", begin+"{{value `%.0f` `"+expression+"`}}", s)
		if err != nil || got != want {
			t.Errorf("%s is printed as %q, %v; want %q", form, got, err, want)
		}
	}
	if got, err := page.Render("a.md.tmpl", begin+"{{value `%.0f` `final(\"slow\", \"passes\") - final(\"slow\", "+
		"\"passes\")`}}", s); err == nil || !strings.Contains(err.Error(), "ended at its limit") {
		t.Errorf("a number without bounds is printed as %q, error %v", got, err)
	}
}
