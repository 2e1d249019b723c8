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

// TestPredictRows: weights of one vector, rows counted from 0 and labels written in other ways make the run's errors.
func TestPredictRows(t *testing.T) {
	data := t.TempDir()
	file := filepath.Join(data, "rows")
	if err := os.WriteFile(file, []byte("1 0:1 1:0.1\n+1 0:0.8\n1.0 0:0.9 2:0.2\n-1 1:1\n-1.0 1:0.7 2:0.1\n-1 0:1\n"),
		0o666); err != nil {
		t.Fatal(err)
	}
	for _, model := range []string{"binary, bias: 1", "binary", "multiclass"} {
		s := readSpec(t, "apiVersion: gaplab/v1\nid: test/rows\ndataset: {format: libsvm, path: "+file+", validation: "+file+
			", zero_based: true}\nmodel: {name: "+model+", loss: log}\nregularisation: {convention: lambda, lambda: [0.01]}\n"+
			"solvers: [{name: sgd, eta0: 1}]\nstop: {passes: 20}\n")
		f := labelled(t, runIn(t, t.TempDir(), s, SaveWeights()), "as", "sgd")
		w, err := ReadWeights(filepath.Join(filepath.Dir(f.Path), f.End.Weights))
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		p, err := Predict(context.Background(), w, file)
		if err != nil {
			t.Errorf("%s: %v", model, err)
			continue
		}
		if got, want := float64(p.Wrong)/6, toy.Last(t, f)["validation_error"]; got != want || len(p.Labels) != 6 ||
			len(p.Warnings) > 0 {
			t.Errorf("%s: %q with an error of %v, warnings %q; the run's last row has %v", model, p.Labels, got, p.Warnings,
				want)
		}
	}
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
		{zipped(`{"format": "gaplab-weights/9"}`), "reads gaplab-weights/2: is the file of a newer program"},
		{zipped(`{"format": "gaplab-weights/1", "model": "multiclass"}`), "lacks the settings of the model"},
		{zipped(`{"format": "gaplab-weights/2", "model": "crf"}`),
			"model crf name no classes: predictions are made with those of classifiers of rows"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 2, "classes": ["a", "b"], ` +
			`"w": [1, 2, 3]}`), "3 weights do not fit rows of 2 features in 2 classes"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 1, "classes": ["a", "b"], ` +
			`"settings": {"params": {"depth": 3}}, "w": [1, 2]}`), "depth"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": 1, "classes": ["a", "b"], ` +
			`"revisions": {"model multiclass": 99}, "w": [1, 2]}`), "it is older"},
		{zipped(`{"format": "gaplab-weights/2", "model": "multiclass", "features": -1, "classes": ["a", "b"], ` +
			`"w": []}`), "name no classes"},
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
	w := &Weights{Format: "gaplab-weights/2", Model: "crf", Features: 1, Classes: []string{"1", "2"}, W: []float64{1, 2}}
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
