package harness

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/models"
)

// saved runs a spec with one run and loads the weights.
func saved(t testing.TB, text string) (*Predictor, *trace.File) {
	t.Helper()
	r := runIn(t, t.TempDir(), readSpec(t, text), Options{SaveWeights: true})
	if len(r.Files) != 1 || r.Files[0].End.Weights == "" {
		t.Fatalf("%s: want one run with saved weights; end of the first run: %+v", text, r.Files[0].End)
	}
	f := r.Files[0]
	p, err := Load(filepath.Join(filepath.Dir(f.Path), f.End.Weights))
	if err != nil {
		t.Fatal(err)
	}
	return p, f
}

// predict labels a text and returns the output.
func predict(t *testing.T, p *Predictor, text string, o PredictOptions) (string, *Prediction) {
	t.Helper()
	var out bytes.Buffer
	o.Name = "text"
	made, err := p.Predict(context.Background(), strings.NewReader(text), &out, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), made
}

// TestPredictAgreesWithTheRun checks every model that makes predictions. The trained weights label the validation data,
// written as text. The number of errors must be that in the run's last row. Another process, and the answers to
// requests, must have the same predictions.
func TestPredictAgreesWithTheRun(t *testing.T) {
	const rows, sentences = "name: digits, train: 60, validation: 40", "name: sentences, train: 60, validation: 40"
	const words, moves = "name: words, train: 60, validation: 30", "name: tracking, train: 40, validation: 20"
	const sparse = "name: sparse-text, train: 100, validation: 50"
	const network = "name: discrete, train: 300, validation: 200"
	tested := map[string]bool{}
	type example struct{ model, data, more, solver string }
	list := []example{
		{"multiclass", rows, "", ""},
		{"binary", sparse, ", bias: 1", ""},
		{"binary", sparse, "", ""},
		{"kernel", rows, ", gamma: 0.02", "{name: bmrm}"},
		{"kernel", sparse, ", kernel: polynomial, bias: 1, cache: 0", "{name: bmrm}"},
		{"kernel", rows, ", basis: 20, gamma: 0.05", "{name: bmrm}"},
		{"chain", sentences, ", label: chunk", ""},
		{"chain", sentences, ", label: pos, cutoff: 2, features: 'suffix2[0] word[-1]|word[0]|length[99] bias'", ""},
		{"chain", sentences, ", edges: untied", ""},
		{"chain", "name: references, train: 40, validation: 30", ", label: label", ""},
		{"chain", words, "", ""},
		{"chain", words, ", decode: marginal", ""},
		{"chain", sentences, ", label: chunk, decode: risk", ""},
		{"chain", words, ", bias: true, edges: untied", ""},
		{"chain-kernel", words, ", gamma: 0.1", "{name: bmrm}"},
		{"chain-kernel", words, ", kernel: polynomial, degree: 2, cache: 0", "{name: bmrm}"},
		{"chain-kernel", words, ", gamma: 0.1, decode: marginal", "{name: bmrm}"},
		{"word-classifier", words, ", features: 50", ""},
		{"hmm", moves, "", "{name: rsd}"},
		{"hmm", moves, ", decode: marginal", "{name: ml}"},
		{"hmm", moves, ", decode: risk, label_loss: ring", "{name: ml}"},
		{"hmm", moves, ", hidden: alternate, label_loss: ring", "{name: rsd}"},
		{"bayes-net", network, ", nodes: 6", "{name: ml}"},
		{"bayes-net", network, ", nodes: 9, structure: bic", "{name: ml}"},
		{"deptree", sentences, "", ""},
		{"deptree", sentences, ", arcs: all, cutoff: 3, between: once, roots: multi", ""},
		{"cfg", "name: grammar, train: 60, validation: 40", "", ""},
		{"cfg", "name: grammar, train: 20, validation: 20", ", unaries: 3, forests: 0, compact: true", ""},
	}
	for _, c := range list {
		tested[c.model] = true
	}
	// Add all other models that make predictions. Each is tested on the first of the listed data that the model accepts.
	for _, e := range catalogue.Models() {
		_, restores := e.New().(models.Restorer)
		if restores == (e.NotRestored != "") {
			t.Errorf("model %s: want either a method Restore or a reason in the entry's NotRestored", e.Name)
		}
		if !restores || tested[e.Name] {
			continue
		}
		data := []string{rows, sparse, sentences, words, moves, network, "name: grammar, train: 60, validation: 40"}
		i := slices.IndexFunc(data, func(data string) bool {
			s := readSpec(t, predictSpec(data, e.Name, "log", "", "{name: bmrm}"))
			_, err := Run(t.Context(), s, Options{Out: t.TempDir()})
			return err == nil
		})
		if i < 0 {
			t.Errorf("model %s accepts none of %q with the log loss and the solver bmrm; add it to the list in this test",
				e.Name, data)
			continue
		}
		list = append(list, example{e.Name, data[i], "", "{name: bmrm}"})
	}
	if testing.Short() { // with -short, as under the race detector: one model for each kind of data
		list = slices.DeleteFunc(list, func(e example) bool {
			return e.more != "" || e.model != "multiclass" && e.model != "chain" && e.model != "cfg"
		})
	}
	var again []labelling
	var here []string
	for _, c := range list {
		loss := "log"
		if c.model == "hmm" || c.model == "bayes-net" {
			loss = "hinge"
		}
		p, f := saved(t, predictSpec(c.data, c.model, loss, c.more, c.solver))
		set := load(t, p)
		text := written(set.Validation)
		o := PredictOptions{Scores: true, Marginals: loss == "log" && set.Validation.Kind() != "bracketed trees"}
		out, made := predict(t, p, text, o)
		if want := toy.Last(t, f)["validation_error"]; math.Abs(float64(made.Wrong)/float64(made.Labels)-want) > 1e-12 ||
			want == 0 || made.Examples != set.Validation.Len() {
			t.Errorf("%s %s: %d of %d labels wrong in %d examples; want the validation error in the last row, %v", c.model,
				c.more, made.Wrong, made.Labels, made.Examples, want)
		}
		plain, _ := predict(t, p, text, PredictOptions{})
		if len(plain) == 0 || len(out) <= len(plain) {
			t.Errorf("%s %s: output with scores = %.300q, want it longer than %.300q", c.model, c.more, out, plain)
		}
		checkAllLabels(t, p, text)
		checkAnswers(t, p, set.Validation, text)
		again = append(again, labelling{filepath.Join(filepath.Dir(f.Path), f.End.Weights), text})
		here = append(here, plain)
	}
	for i, fresh := range elsewhere(t, again) {
		if fresh != here[i] {
			t.Errorf("%s %s: prediction in another process = %.300q, want %.300q as in this one", list[i].model, list[i].more,
				fresh, here[i])
		}
	}
}

// predictSpec returns a spec whose run stops after three passes. more contains further settings of the model. An empty
// solver means EG.
func predictSpec(data, model, loss, more, solver string) string {
	regularisation := "regularisation: {convention: eg, C: 10}\n"
	if loss == "hinge" { // here only for generative models, whose specs need no regularisation
		regularisation = ""
	}
	return specOn(data, model+", loss: "+loss+more, regularisation+"solvers: ["+cmp.Or(solver, "{name: eg, eta: 0.5}")+
		"]\nstop: {passes: 3}\n")
}

// otherProcess is the environment variable by which TestPredictAgreesWithTheRun tells TestPredictHere, in another
// process, what to label.
const otherProcess = "GAPLAB_TEST_PREDICT"

// labelling is the task to label a text with the weights in a file.
type labelling struct{ Weights, Text string }

// elsewhere labels texts in another process and returns the predictions.
func elsewhere(t *testing.T, list []labelling) (predicted []string) {
	t.Helper()
	in, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(os.Args[0], "-test.run=^TestPredictHere$")
	cmd.Env = append(os.Environ(), otherProcess+"=1")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("the other process failed: %v: %s%s", err, &out, &errs)
	}
	if err := json.NewDecoder(&out).Decode(&predicted); err != nil || len(predicted) != len(list) {
		t.Fatalf("the other process made %d predictions, %v, want %d", len(predicted), err, len(list))
	}
	return predicted
}

// TestPredictHere does the work of the other process of TestPredictAgreesWithTheRun. It does nothing in a normal test
// run.
func TestPredictHere(t *testing.T) {
	if os.Getenv(otherProcess) == "" {
		t.Skip("for TestPredictAgreesWithTheRun")
	}
	var list []labelling
	if err := json.NewDecoder(os.Stdin).Decode(&list); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, l := range list {
		p, err := Load(l.Weights)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := predict(t, p, l.Text, PredictOptions{})
		out = append(out, text)
	}
	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		t.Fatal(err)
	}
}

// load loads the data that a predictor's weights were trained on.
func load(t testing.TB, p *Predictor) *datasets.Set {
	t.Helper()
	entry, err := datasets.Find(catalogue.DataSets(), p.weights.Data.Name)
	if err != nil {
		t.Fatal(err)
	}
	loader := entry.New()
	if err := decode(loader, p.weights.Data.Params); err != nil {
		t.Fatal(err)
	}
	set, err := loader.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// written writes data as text in the plain file formats: rows as LIBSVM, sequences as SVM-HMM, discrete variables
// separated by commas, sentences in columns with the heads last, and bracketed trees.
func written(data datasets.Data) string {
	var out strings.Builder
	features := func(x *datasets.Rows, i int) {
		index, value := x.Row(i)
		for k, v := range value {
			j := k
			if index != nil {
				j = int(index[k])
			}
			fmt.Fprintf(&out, " %d:%v", j+1, v)
		}
		out.WriteString("\n")
	}
	switch d := data.(type) {
	case *datasets.Labelled:
		for i := range d.X.N {
			out.WriteString(d.Classes[d.Y[i]])
			features(&d.X, i)
		}
	case *datasets.Sequences:
		for i := range d.Len() {
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				fmt.Fprintf(&out, "%s qid:%d", d.Labels[d.Y[t]], i+1)
				features(&d.X, t)
			}
		}
	case *datasets.Discrete:
		for v, variable := range d.Variables {
			out.WriteString(strings.Repeat(",", min(v, 1)) + variable.Name)
		}
		for i := range d.Len() {
			for v, x := range d.Row(i) {
				out.WriteString(",\n"[1-min(v, 1):][:1] + d.Variables[v].Values[x])
			}
		}
		out.WriteString("\n")
	case *datasets.Sentences:
		for i := range d.Len() {
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				for _, c := range d.Columns {
					out.WriteString(c.Text[c.ID[t]] + " ")
				}
				if d.Heads != nil {
					fmt.Fprint(&out, d.Heads[t])
				}
				out.WriteString("\n")
			}
			out.WriteString("\n")
		}
	case *datasets.Treebank:
		for _, tree := range d.Trees {
			out.WriteString(datasettest.Bracketed(tree) + "\n")
		}
	}
	return out.String()
}

// TestPredictRows checks that predictions of rows have the number of errors in the run's last row. It covers models
// with one weight vector, feature indices that start at 0, and class labels written in several ways (1, +1, 1.0).
func TestPredictRows(t *testing.T) {
	const text = "1 0:1 1:0.1\n+1 0:0.8\n1.0 0:0.9 2:0.2\n-1 1:1\n-1.0 1:0.7 2:0.1\n-1 0:1\n"
	file := fileWith(t, text)
	for _, model := range []string{"binary, bias: 1", "binary", "multiclass"} {
		p, f := saved(t, specOn("format: libsvm, path: "+file+", validation: "+file+", zero_based: true", model+", loss: log",
			"regularisation: {convention: lambda, lambda: 0.01}\nsolvers: [{name: sgd, eta0: 1}]\nstop: {passes: 20}\n"))
		out, made := predict(t, p, text, PredictOptions{})
		if want := toy.Last(t, f)["validation_error"]; float64(made.Wrong)/6 != want || made.Labels != 6 ||
			len(made.Warnings) > 0 {
			t.Errorf("%s: prediction = %q, %+v; want the validation error in the run's last row, %v", model, out, made, want)
		}
		bare, made := predict(t, p, "0:1 1:0.1\n0:0.8 900:1\n", PredictOptions{})
		if bare != "1\n1\n" || made.Labels != 0 || !strings.Contains(strings.Join(made.Warnings, ""), "beyond the 3") {
			t.Errorf("%s: rows without labels: prediction = %q, %+v, want 1 twice and a warning", model, bare, made)
		}
	}
}

// TestUnknownClasses checks validation rows whose class does not occur in the training rows, for every model of rows.
// Each must count as an error, both in the run's metrics and in predictions.
func TestUnknownClasses(t *testing.T) {
	dir := t.TempDir()
	train, test := filepath.Join(dir, "train"), filepath.Join(dir, "test")
	const text = "a 1:1\nb 2:1\nnew 1:1\nother 2:1\nnew 1:1 2:1\n"
	for name, content := range map[string]string{train: "a 1:1\nb 2:1\na 1:2\nb 2:2\n", test: text} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, model := range []string{"binary", "multiclass", "kernel", "kernel, basis: 2"} {
		p, f := saved(t, specOn("format: libsvm, path: "+train+", validation: "+test, model+", loss: log",
			"regularisation: {convention: lambda, lambda: 0.01}\nsolvers: [{name: bmrm}]\nstop: {passes: 50}\n"))
		_, made := predict(t, p, text, PredictOptions{})
		if v := toy.Last(t, f)["validation_error"]; v != 0.6 || made.Wrong != 3 || made.Labels != 5 ||
			!slices.Equal(made.Warnings,
				[]string{"3 rows have labels that no training row has, and count as errors: new, other"}) {
			t.Errorf("%s: validation_error = %v, want 0.6; prediction = %+v, want 3 of 5 wrong and a warning", model, v, made)
		}
	}
}
