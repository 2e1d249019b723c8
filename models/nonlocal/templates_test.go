package nonlocal

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
)

// truth reports whether the text of a measurement is true for the labels of a sequence. It parses the text and counts
// the labels.
func truth(t *testing.T, text string, labels []string) bool {
	t.Helper()
	segments := func(x string) (n int) {
		for _, label := range labels {
			if label == "B-"+x || label == x {
				n++
			}
		}
		return n
	}
	tokens := func(x string) (n int) {
		for _, label := range labels {
			if strings.TrimPrefix(strings.TrimPrefix(label, "B-"), "I-") == x {
				n++
			}
		}
		return n
	}
	next := func(x, y string) (n int) {
		for i := 1; i < len(labels); i++ {
			of := strings.TrimPrefix(strings.TrimPrefix(labels[i-1], "B-"), "I-")
			if of == x && (labels[i] == "B-"+y || labels[i] == y) {
				n++
			}
		}
		return n
	}
	var x, y string
	var n int
	scan := func(format string, to ...any) bool {
		got, err := fmt.Sscanf(text, format, to...)
		return err == nil && got == len(to)
	}
	switch {
	case scan("at most one %s directly after %s", &y, &x):
		return next(x, y) <= 1
	case scan("no %s directly after %s", &y, &x):
		return next(x, y) == 0
	case scan("at most one %s", &x):
		return segments(x) <= 1
	case scan("at least one %s", &x):
		return segments(x) >= 1
	case scan("no more %s than %s", &x, &y):
		return segments(x) <= segments(y)
	case scan("%s or %s at most one in total", &x, &y):
		return segments(x)+segments(strings.TrimSuffix(y, ",")) <= 1
	case scan("at most %d tokens of %s", &n, &x):
		return tokens(x) <= n
	case scan("at least %d tokens of each %s", &n, &x):
		return tokens(x) >= n*segments(x)
	}
	t.Fatalf("unknown text of a measurement: %q", text)
	return false
}

// sequencesUpTo returns all sequences of labels with lengths from 1 to length.
func sequencesUpTo(length, k int) [][]int {
	all, last := [][]int(nil), [][]int{nil}
	for range length {
		var longer [][]int
		for _, y := range last {
			for label := range k {
				longer = append(longer, append(slices.Clone(y), label))
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

// TestMeasurementsSayWhatTheyMeasure checks, for all templates and all labellings of up to five tokens, that a
// measurement is at least 1 if its text is true for the labelling, and at most 0 otherwise. So its hinge penalises
// exactly the labellings for which the text is false.
func TestMeasurementsSayWhatTheyMeasure(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test lists all labellings")
	}
	for _, c := range []struct {
		labels     []string
		labellings [][]int
	}{
		{[]string{"O", "B-x", "I-x", "B-y", "I-y"}, [][]int{{1, 2, 2, 3, 4}, {1, 2, 0, 3}, {1, 2, 1, 2}, {3, 4, 4}, {3, 1}}},
		{[]string{"noun", "verb", "other"}, [][]int{{0, 1, 2}, {0, 0, 1}, {2, 1, 2}, {1}}},
	} {
		k := len(c.labels)
		list, err := Templates{}.Measurements(c.labels, c.labellings)
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[string]bool{}
		for _, m := range list {
			kinds[strings.Join(strings.Fields(m.Text)[:2], " ")] = true
			hinge := energy.Linear{Weights: []float64{1}, Offsets: []float64{m.B}, Rows: []models.Sparse{m.Row}, Smoothed: true}
			if err := hinge.Check(); err != nil {
				t.Fatal(err)
			}
			about, holds := 0, 0
			for _, y := range sequencesUpTo(5, k) {
				names := make([]string, len(y))
				for i, label := range y {
					names[i] = c.labels[label]
				}
				u := make([]float64, k+k*k)
				for r, n := range totalsOf(y, k) {
					u[r] = float64(n)
				}
				is := truth(t, m.Text, names)
				if penalty := hinge.Value(u); is != (penalty == 0) || !is && penalty < 0.5 {
					t.Fatalf("%q: true = %v for labels %v, but the penalty is %v", m.Text, is, names, penalty)
				}
				if slices.ContainsFunc(c.labellings, func(z []int) bool { return slices.Equal(y, z) }) {
					about++
					if is {
						holds++
					}
				}
			}
			if m.About < 1 || m.About > about || m.Share < 0 || m.Share > 1 || m.Share == 1 && m.About == about &&
				holds < about {
				t.Errorf("%q: share = %v for %d labellings, want 0 to 1, and 1 only if the text is always true",
					m.Text, m.Share, m.About)
			}
		}
		if len(kinds) < 6 {
			t.Errorf("only the texts %v occur, want at least 6 kinds", kinds)
		}
	}
}

// TestTemplatesChoose checks that a measurement is chosen if its text is true for enough labellings.
func TestTemplatesChoose(t *testing.T) {
	labels := []string{"O", "B-x", "I-x", "B-y", "B-z"}
	labellings := [][]int{
		{1, 2, 3},    // fields: x y
		{1, 2, 2, 3}, // fields: x y
		{1, 3, 0},    // fields: x y
		{3, 1, 2, 1}, // fields: y x x
		{4, 0},       // field: z
	}
	for _, c := range []struct {
		t    Templates
		want []string
	}{
		{Templates{Names: []string{"at-most-one"}, Support: 1, Occurs: 1}, []string{"at most one y", "at most one z"}},
		{Templates{Names: []string{"at-most-one"}, Support: 0.7, Occurs: 2}, []string{"at most one x", "at most one y"}},
		{Templates{Names: []string{"at-least-one"}, Support: 0.8, Occurs: 1}, []string{"at least one x", "at least one y"}},
		{Templates{Names: []string{"excludes"}, Support: 1, Occurs: 1}, []string{"y or z, at most one in total"}},
		{Templates{Names: []string{"no-more"}, Support: 1, Occurs: 2}, []string{"no more y than x"}},
		{Templates{Names: []string{"same-number"}, Support: 0.75, Occurs: 2},
			[]string{"no more x than y", "no more y than x"}},
		{Templates{Names: []string{"same-number"}, Support: 1, Occurs: 1}, nil},
		{Templates{Names: []string{"no-more", "same-number"}, Support: 0.75, Occurs: 2},
			[]string{"no more x than y", "no more y than x"}},
		{Templates{Names: []string{"pair-once"}, Support: 1, Occurs: 2}, []string{"at most one y directly after x"}},
		{Templates{Names: []string{"pair-never"}, Support: 1, Occurs: 4}, []string{"no y directly after y"}},
		{Templates{Names: []string{"longest", "shortest"}, Support: 0.7, Occurs: 4},
			[]string{"at most 3 tokens of x", "at most 1 tokens of y"}},
		{Templates{Names: []string{"at-most-one"}, Support: 1, Occurs: 5}, nil},
	} {
		list, err := c.t.Measurements(labels, labellings)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range list {
			got = append(got, m.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: chosen measurements = %q, want %q", c.t, got, c.want)
		}
	}
	if _, err := (Templates{Names: []string{"at-most-two"}}).Measurements(labels, labellings); err == nil ||
		!strings.Contains(err.Error(), `no template "at-most-two"`) {
		t.Errorf("unknown template: error = %v, want one that names it", err)
	}
}

// TestLabelNames checks that the names of the labels are found by comparing the labels of the base with a column of the
// training sentences.
func TestLabelNames(t *testing.T) {
	below, train, validation := citations()
	base, err := chain.Model{Label: "label", Features: "word[0]"}.Build(below, validation)
	if err != nil {
		t.Fatal(err)
	}
	names, err := labelNames(base, train)
	if want := []string{"B-author", "I-author", "O", "B-title", "I-title", "B-year", "B-place"}; err != nil ||
		!slices.Equal(names, want) {
		t.Errorf("label names = %q, %v, want %q", names, err, want)
	}
	var fields []string
	for _, f := range fieldsOf(append(names, "I-lost", "label 9")) {
		fields = append(fields, fmt.Sprint(f.name, f.begin, f.labels))
	}
	if want := []string{"author0 [0 1]", "title3 [3 4]", "year5 [5]", "place6 [6]"}; !slices.Equal(fields, want) {
		t.Errorf("fields = %q, want %q", fields, want)
	}
	letters := words(1, "ab", "dc")
	if base, err = (chain.Model{}).Build(letters, nil); err != nil {
		t.Fatal(err)
	}
	if names, err = labelNames(base, letters); err != nil || !slices.Equal(names, []string{"a", "b", "c", "d"}) {
		t.Errorf("letter names = %q, error = %v, want a, b, c, d", names, err)
	}
}

// TestHingesLipschitz checks that the bound on the Lipschitz constant is correct and not much too large.
func TestHingesLipschitz(t *testing.T) {
	s := everySetting(t, nil)[0]
	list := measurementsOf(s.build(t))
	psi := make([]float64, len(list))
	h := measured(list, true)(psi)
	e := s.base.Train[0]
	for j := range psi {
		psi[j] = float64(j%5) - 1
	}
	l, _ := shape(&e)
	all := energy.Linear{Weights: psi, Smoothed: true}
	for _, m := range list {
		all.Rows = append(all.Rows, m.Row)
	}
	bound, exact := h(&e).(energy.Smooth).Lipschitz()/float64(l), all.Lipschitz()
	if bound < exact || bound > 4*exact {
		t.Errorf("Lipschitz bound = %v, want 1 to 4 times the largest eigenvalue %v", bound, exact)
	}
}
