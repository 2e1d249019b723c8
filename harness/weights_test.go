package harness

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
)

// TestPredictAgreesWithTheRun: the saved weights make the errors on the validation data that the run's last row counts.
func TestPredictAgreesWithTheRun(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{name: eg, eta: 0.5}, {as: wild, name: sgd, eta0: 1e200}]\nstop: {passes: 3}\n")
	r := runIn(t, dir, s, SaveWeights())
	if f := labelled(t, r, "as", "wild"); f.Status() != trace.Diverged || f.End.Weights != "" {
		t.Errorf("a diverged run: %s, weights %q", f.Status(), f.End.Weights)
	}
	f := labelled(t, r, "as", "eg")
	if f.End.Weights == "" {
		t.Fatal("no weights were saved")
	}
	fresh := t.TempDir()
	runIn(t, fresh, s)
	if f := labelled(t, runIn(t, fresh, s, SaveWeights()), "as", "eg"); f.End.Weights == "" {
		t.Error("a run that was finished without its weights was reused where they are asked for")
	}
	w, err := ReadWeights(filepath.Join(filepath.Dir(f.Path), f.End.Weights))
	if err != nil {
		t.Fatal(err)
	}
	if w.Experiment != "test/tiny" || w.Key != f.Manifest.Key || w.Model != "multiclass" || w.Features != 784 ||
		len(w.Classes) != 10 {
		t.Errorf("weights of %s %s: %s, %d features, %q", w.Experiment, w.Key, w.Model, w.Features, w.Classes)
	}
	set, err := (&generated.Digits{Train: 60, Validation: 40, Seed: 1}).Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	validation := set.Validation.(*datasets.Labelled)
	file := filepath.Join(t.TempDir(), "validation.libsvm")
	if err := os.WriteFile(file, libsvm(validation, "900:1"), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := Predict(context.Background(), w, file)
	if err != nil {
		t.Fatal(err)
	}
	want := toy.Last(t, f)["validation_error"]
	if got := float64(p.Wrong) / 40; got != want || want == 0 || len(p.Labels) != 40 {
		t.Errorf("%d predictions with an error of %v; the run's last row has %v", len(p.Labels), got, want)
	}
	if len(p.Warnings) == 0 || !strings.Contains(strings.Join(p.Warnings, " "), "784") {
		t.Errorf("warnings %q: a feature that the weights do not know is not mentioned", p.Warnings)
	}
	var again journal
	runIn(t, dir, s, SaveWeights(), again.option())
	again.want(t, nil, []string{"eg", "wild"})
}

// libsvm writes rows in LIBSVM format, one with a further feature.
func libsvm(d *datasets.Labelled, further string) []byte {
	var out bytes.Buffer
	for i := range d.X.N {
		out.WriteString(d.Classes[d.Y[i]])
		index, value := d.X.Row(i)
		for t, x := range value {
			fmt.Fprintf(&out, " %d:%v", index[t]+1, x)
		}
		if i == 0 {
			out.WriteString(" " + further)
		}
		out.WriteString("\n")
	}
	return out.Bytes()
}

func TestReadWeightsRefuses(t *testing.T) {
	zipped := func(text string) []byte {
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		z.Write([]byte(text))
		z.Close()
		return out.Bytes()
	}
	for _, c := range []struct {
		text []byte
		want string
	}{
		{[]byte("not gzip"), "not a weights file"},
		{nil, "not a weights file"},
		{zipped("not json"), "damaged"},
		{zipped(`{"format": "gaplab-weights/9"}`), "reads gaplab-weights/1"},
		{zipped(`{"format": "gaplab-weights/1", "model": "crf"}`),
			"model crf name no classes: predictions are made with those of classifiers of rows"},
		{zipped(`{"format": "gaplab-weights/1", "features": 2, "classes": ["a", "b"], "w": [1, 2, 3]}`),
			"2 features × 2 classes"},
		{zipped(`{"format": "gaplab-weights/1", "features": -1, "classes": ["a", "b"], "w": []}`), "-1 features"},
	} {
		file := filepath.Join(t.TempDir(), "w.json.gz")
		if err := os.WriteFile(file, c.text, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := ReadWeights(file); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), file) {
			t.Errorf("%.20q: %v; want an error with the file and %q", c.text, err, c.want)
		}
	}
	w := &Weights{Format: "gaplab-weights/1", Model: "crf", Features: 1, Classes: []string{"1", "2"}, W: []float64{1, 2}}
	file := filepath.Join(t.TempDir(), "rows")
	if err := os.WriteFile(file, []byte("1 1:1\n2 1:1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Predict(context.Background(), w, file); err == nil || !strings.Contains(err.Error(), `"crf"`) {
		t.Errorf("weights of an unknown model: %v", err)
	}
}

func TestEstimate(t *testing.T) {
	dir := t.TempDir()
	s := readSpec(t, atC+"solvers: [{as: a, name: eg, eta: 0.5}, {as: b, name: eg, eta: 0.25}]\nstop: {passes: "+
		"4}\nbudget: {passes: 2}\n")
	states := func(want ...string) *Forecast {
		t.Helper()
		f, err := Estimate(context.Background(), s, Root(dir))
		if err != nil {
			t.Fatal(err)
		}
		for i, r := range f.Runs {
			if r.State != want[i] || r.Passes != 4 || r.Labels["as"] == nil || r.Key == "" {
				t.Errorf("run %d: %+v, want it %s", i, r, want[i])
			}
			if done := r.State == "finished"; done != (r.Seconds == 0) {
				t.Errorf("run %d is %s and takes %v s", i, r.State, r.Seconds)
			}
		}
		return f
	}
	if f := states("new", "new"); f.Memory <= 0 || f.Seconds <= 0 ||
		math.Abs(f.Seconds-f.Runs[0].Seconds-f.Runs[1].Seconds) > 1e-12 {
		t.Errorf("%d bytes, %v s", f.Memory, f.Seconds)
	}
	if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
		t.Error("an estimate has run something")
	}
	ctx, cancel := context.WithCancel(context.Background())
	if _, err := Run(ctx, s, Root(dir), OnEvent(func(e Event) {
		if e.Kind == Recorded && e.Run.Solver.As == "b" {
			cancel()
		}
	})); err != nil {
		t.Fatal(err)
	}
	states("finished", "interrupted")
}
