package harness

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/schedule"
	"github.com/gaplab/gaplab/harness/store"
)

// TestScaleKeys checks each data set that has the setting "scale". A spec with the default value of the setting must
// give the same key of the run as a spec without the setting. Other values must give other keys.
func TestScaleKeys(t *testing.T) {
	tested := 0
	for _, e := range Catalogue().Datasets {
		if !scalable(e.New()) {
			continue
		}
		tested++
		identity := func(more string) string {
			data := "name: " + e.Name + more
			if e.Format {
				data = "format: " + e.Name + ", path: x" + more
			}
			runs, err := readSpec(t, specOn(data, "multiclass, loss: log", passes(1, "eg"))).Plan()
			if err != nil {
				t.Fatal(err)
			}
			return string(runs[0].Canonical())
		}
		plain := identity("")
		if strings.Contains(plain, "scale") || identity(", scale: none") != plain {
			t.Errorf("%s: the default of scale changes the key or is part of it: %s", e.Name, plain)
		}
		if identity(", scale: max") == plain || identity(", scale: max") == identity(", scale: unit") {
			t.Errorf("%s: the values max and unit of scale do not change the key", e.Name)
		}
	}
	if tested < 5 {
		t.Errorf("%d data sets have the setting scale, want libsvm, digits and others", tested)
	}
}

// scalable reports whether a loader has the setting scale with the value max.
func scalable(loader any) bool {
	field, ok := reflect.TypeOf(loader).Elem().FieldByName("Scale")
	return ok && strings.Contains(field.Tag.Get("jsonschema"), "enum=max")
}

// scaledText returns the validation rows held as text, with each value divided as the setting scale=kind defines. It
// loops over dense copies of the training rows, and shares no code with datasets.Set.Scale.
func scaledText(kind string, train, held *datasets.Labelled) string {
	dense := func(l *datasets.Labelled, i int) []float64 {
		row := make([]float64, l.X.Dim)
		index, value := l.X.Row(i)
		for k, j := range index {
			row[j] = value[k]
		}
		return row
	}
	largest := make([]float64, train.X.Dim)
	for i := range train.X.N {
		for j, x := range dense(train, i) {
			largest[j] = max(largest[j], math.Abs(x))
		}
	}
	var out strings.Builder
	for i := range held.X.N {
		row := dense(held, i)
		square := 0.0
		for _, x := range row {
			square += x * x
		}
		out.WriteString(held.Classes[held.Y[i]])
		for j, x := range row {
			switch {
			case kind == datasets.ScaleUnit && square > 0:
				x /= math.Sqrt(square)
			case kind == datasets.ScaleMax && largest[j] > 0:
				x /= largest[j]
			}
			if x != 0 {
				fmt.Fprintf(&out, " %d:%v", j+1, x)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}

// TestPredictScaled checks every model of rows on raw validation rows, with weights from a run with scale. The number
// of errors must be that of the run's last row. Another predictor does not scale and reads rows that were scaled
// beforehand; it must give the same labels and scores.
func TestPredictScaled(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains on raw data")
	}
	const digits, text = "digits, train: 60, validation: 40", "sparse-text, train: 100, validation: 50"
	for _, c := range []struct{ model, data, solver string }{
		{"multiclass", digits, "eg"}, {"binary, bias: 1", text, "eg"}, {"kernel, gamma: 0.05", digits, "bmrm"},
		{"kernel, gamma: 0.05, basis: 12", digits, "bmrm"},
	} {
		for _, kind := range []string{datasets.ScaleUnit, datasets.ScaleMax} {
			p, f := saved(t, specOn("name: "+c.data+", scale: "+kind, c.model+", loss: log", passes(5, c.solver)))
			if p.weights.Scaling.Kind != kind {
				t.Fatalf("%s, %s: the weights file has the scaling %+v", c.model, kind, p.weights.Scaling)
			}
			p.weights.Data.Params["scale"] = datasets.ScaleNone // so that load reads raw rows
			raw := load(t, p)
			held := raw.Validation.(*datasets.Labelled)
			labels, made := predict(t, p, written(held), PredictOptions{Scores: true})
			want := toy.Last(t, f)["validation_error"]
			if float64(made.Wrong)/float64(held.Len()) != want || made.Wrong == 0 {
				t.Errorf("%s, %s: %d of %d predictions are wrong, want the rate %v", c.model, kind, made.Wrong, held.Len(),
					want)
			}
			p.weights.Scaling = datasets.Scaling{}
			scaled := scaledText(kind, raw.Train.(*datasets.Labelled), held)
			if want, _ := predict(t, p, scaled, PredictOptions{Scores: true}); labels != want {
				t.Errorf("%s, %s: raw rows get other labels or scores than rows scaled beforehand", c.model, kind)
			}
			unit := c.data == text && kind == datasets.ScaleUnit // these rows have unit norm already
			if other, _ := predict(t, p, written(held), PredictOptions{Scores: true}); !unit && other == labels {
				t.Errorf("%s, %s: without scaling the scores are the same, so this test cannot fail", c.model, kind)
			}
		}
	}
}

// TestScalingOfOtherData checks that a weights file is refused if it has a scaling of rows but the data are not rows.
func TestScalingOfOtherData(t *testing.T) {
	p := chunker(t, "")
	w := *p.weights
	w.Scaling = datasets.Scaling{Kind: datasets.ScaleUnit, Features: 3}
	_, err := newPredictor(&w)
	refused(t, "a scaling of sentences", err, "it has a scaling of rows, but the data are sentences")
}

// TestNoScaleAdvice checks that the data sets with the setting scale give no advice, except pendigits, whose values go
// up to 100. Published sets of at most 20 MB are checked if GAPLAB_DATA has them.
func TestNoScaleAdvice(t *testing.T) {
	src := datasets.Source{Data: os.Getenv("GAPLAB_DATA"), Offline: true}
	for _, e := range catalogue.DataSets() {
		size := int64(0)
		for _, f := range e.Files {
			size += f.Bytes
		}
		if e.Format || !scalable(e.New()) || size > 20_000_000 || size > 0 && testing.Short() {
			continue
		}
		set, err := e.New().Load(t.Context(), src)
		if errors.Is(err, datasets.ErrMissing) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if advice := set.ScaleAdvice(); (advice != "") != (e.Name == "pendigits") {
			t.Errorf("%s: advice %q, want some only for pendigits", e.Name, advice)
		}
	}
}

// TestScaleNotes checks that an experiment on rows with values up to 100 gives advice once for all its runs. It must
// give no advice if the rows are scaled.
func TestScaleNotes(t *testing.T) {
	var text strings.Builder
	for i := range 40 {
		fmt.Fprintf(&text, "%d 1:%d 2:%d\n", i%2, i, 100-i)
	}
	file := fileWith(t, text.String())
	for scale, want := range map[string]int{"none": 1, "unit": 0, "max": 0} {
		var notes []string
		o := Options{OnEvent: func(e schedule.Event) {
			if e.Kind == schedule.Noted {
				notes = append(notes, e.Why)
			}
		}}
		runIn(t, t.TempDir(), readSpec(t, specOn("format: libsvm, path: "+file+", scale: "+scale, "multiclass, loss: hinge",
			"regularisation: {convention: lambda, lambda: [1, 2]}\nsolvers: [{name: dcd}]\nstop: {passes: 2}\n")), o)
		if len(notes) != want {
			t.Errorf("scale %s: notes %q, want %d", scale, notes, want)
		}
		for _, note := range notes {
			if !strings.Contains(note, "values go up to 100 (column 2)") || !strings.Contains(note, "`scale: max`") {
				t.Errorf("scale %s: note %q, want the largest value, its column and the remedy", scale, note)
			}
		}
	}
}

// TestScalingInTheFile checks that a weights file stores the factors exactly, even if there are too many columns for
// the head of the file.
func TestScalingInTheFile(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test needs 200,000 features")
	}
	p, f := saved(t, specOn("name: sparse-text, train: 200, features: 200000, scale: max", "binary, loss: hinge",
		passes(1, "dcd")))
	params := map[string]any{"train": 200, "features": 200000, "scale": "max"}
	loader := mustFind(t, "sparse-text").New()
	if err := decode(loader, params); err != nil {
		t.Fatal(err)
	}
	set, err := loader.Load(t.Context(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(p.weights.Scaling, set.Scaling) || len(set.Scaling.Factors) != 200000 {
		t.Errorf("%d factors in the file, want the %d of the run", len(p.weights.Scaling.Factors), len(set.Scaling.Factors))
	}
	file, err := store.ReadWeights(filepath.Join(filepath.Dir(f.Path), f.End.Weights))
	if err != nil || !slices.Equal(file.Scaling.Factors, set.Scaling.Factors) || len(file.Vocabulary) == 0 {
		t.Errorf("error %v, vocabulary %s; want the factors of the run and a vocabulary", err, file.Vocabulary)
	}
}

// mustFind returns the catalogue entry of a data set.
func mustFind(t *testing.T, name string) datasets.Entry {
	t.Helper()
	e, err := datasets.Find(catalogue.DataSets(), name)
	if err != nil {
		t.Fatal(err)
	}
	return e
}
