package harness

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/models"
)

// checkAllLabels checks the scores and the marginals of all labels of a text. The largest score at each place is the
// score of the labelling, and belongs to the predicted label. The marginals at each place sum to 1, and that of the
// predicted label is the one that PredictOptions.Marginals gives. If the catalogue does not list such numbers for the
// model, they must be refused.
func checkAllLabels(t *testing.T, p *Predictor, text string) {
	t.Helper()
	list := catalogue.Models()
	e := list[slices.IndexFunc(list, func(e models.Entry) bool { return e.Name == p.weights.Model })]
	scores := slices.Contains(e.PerLabel, "scores")
	marginals := slices.Contains(e.PerLabel, "marginals") && (p.loss.Temp > 0 || e.Free)
	byScore := p.weights.Settings.Params["decode"] == nil || p.weights.Settings.Params["decode"] == "viterbi"
	for _, o := range []PredictOptions{{AllScores: true}, {AllMarginals: true}} {
		if _, err := p.Predict(context.Background(), strings.NewReader(""), io.Discard, o); (err == nil) !=
			(o.AllScores && scores || o.AllMarginals && marginals) {
			t.Errorf("%s: error of %+v: %v; the entry in the catalogue has PerLabel %q", e.Name, o, err, e.PerLabel)
		}
	}
	o := PredictOptions{JSON: true, Scores: true, Marginals: marginals}
	one, _ := predict(t, p, text, o)
	o.AllScores, o.AllMarginals = scores, marginals
	all, _ := predict(t, p, text, o)
	lines := strings.Split(strings.TrimSpace(all), "\n")
	for i, line := range strings.Split(strings.TrimSpace(one), "\n") {
		type row struct {
			Label             string
			Labels            []string
			Heads             []int
			Score             *float64
			Scores, Marginals json.RawMessage
		}
		var alone, whole row
		if err := json.Unmarshal([]byte(line), &alone); err != nil {
			t.Fatalf("%s: %v in %s", e.Name, err, line)
		}
		if err := json.Unmarshal([]byte(lines[i]), &whole); err != nil {
			t.Fatalf("%s: %v in %s", e.Name, err, lines[i])
		}
		labels := whole.Labels
		for _, h := range whole.Heads {
			labels = append(labels, strconv.Itoa(h))
		}
		if labels == nil {
			labels = []string{whole.Label}
		}
		places := func(text json.RawMessage) (out []map[string]float64) {
			if strings.HasPrefix(string(text), "{") {
				text = slices.Concat([]byte("["), text, []byte("]"))
			}
			if err := json.Unmarshal(text, &out); err != nil || len(out) != len(labels) {
				t.Fatalf("%s: numbers of %d places (%v): %s; want %d", e.Name, len(out), err, text, len(labels))
			}
			return out
		}
		if scores {
			for at, numbers := range places(whole.Scores) {
				top := slices.Max(slices.Collect(maps.Values(numbers)))
				if !byScore {
					top = numbers[labels[at]] // the best labelling with this label; the prediction has at most its score
					if *alone.Score > top+1e-9*math.Abs(top) {
						t.Fatalf("%s: score %v of the prediction, but %v of the best labelling with %q", e.Name, *alone.Score, top,
							labels[at])
					}
					continue
				}
				if math.Abs(top-*alone.Score) > 1e-9*math.Abs(top) || math.Abs(top-numbers[labels[at]]) > 1e-9*math.Abs(top) {
					t.Fatalf("%s: scores %v at place %d; want %v the largest, that of %q", e.Name, numbers, at, *alone.Score,
						labels[at])
				}
			}
		}
		if marginals {
			var want []float64
			if err := json.Unmarshal(alone.Marginals, &want); err != nil {
				t.Fatal(err)
			}
			for at, numbers := range places(whole.Marginals) {
				sum := 0.
				for _, v := range numbers {
					sum += v
				}
				if p.weights.Settings.Params["decode"] == "marginal" &&
					numbers[labels[at]] < slices.Max(slices.Collect(maps.Values(numbers))) {
					t.Fatalf("%s: marginals %v at place %d; want the largest for %q", e.Name, numbers, at, labels[at])
				}
				if math.Abs(sum-1) > 1e-9 || numbers[labels[at]] != want[at] {
					t.Fatalf("%s: marginals %v at place %d; want the sum 1, and %v for %q", e.Name, numbers, at, want[at],
						labels[at])
				}
			}
		}
	}
}

// TestAllLabelsAsText checks the columns that scores and marginals of all labels add to each form of text.
func TestAllLabelsAsText(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains one model for each kind of data")
	}
	rows, _ := saved(t, specOn("name: digits, train: 60, validation: 20", "multiclass, loss: log", passes(3, "eg")))
	out, _ := predict(t, rows, "1:0.5\n2:1\n", PredictOptions{AllMarginals: true, AllScores: true})
	lines := strings.Split(out, "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "label\tmarginal:0\tmarginal:1\t") ||
		!strings.HasSuffix(lines[0], "\tscore:8\tscore:9") || strings.Count(lines[1], "\t") != 20 {
		t.Errorf("rows = %s, want a header and two lines of 21 columns", out)
	}
	if out, _ = predict(t, rows, "1:0.5\n", PredictOptions{AllScores: true, Marginals: true}); !strings.HasPrefix(out,
		"label\tmarginal\tscore:0\t") {
		t.Errorf("rows with the marginal of the predicted class = %s", out)
	}
	sentences := "name: sentences, train: 60, validation: 20"
	tags, _ := saved(t, specOn(sentences, "chain, label: chunk, loss: log", passes(3, "eg")))
	out, _ = predict(t, tags, "the D DT 0\ncat N NN 0\n\nruns V VB 0\n", PredictOptions{AllMarginals: true})
	lines = strings.Split(out, "\n")
	header, columns := strings.Fields(lines[0]), strings.Fields(lines[1])
	if len(lines) != 7 || strings.Join(header[:8], " ") != "# global.columns = word cpos pos head predicted" ||
		!strings.HasPrefix(header[8], "marginal:") || len(columns) != len(header)-3 {
		t.Errorf("sentences = %s, want a header with the names of all columns, once", out)
	}
	words, _ := saved(t, specOn("name: words, train: 60, validation: 20", "chain, loss: log", passes(3, "eg")))
	out, _ = predict(t, words, "qid:1 1:1\nqid:1 2:1\n\nqid:2 1:1\n", PredictOptions{Scores: true, AllMarginals: true})
	if lines = strings.Split(out, "\n"); !strings.HasPrefix(lines[0], "label\tmarginal:") || len(lines) != 9 ||
		!strings.HasPrefix(lines[1], "# score = ") || strings.Count(lines[2], "\t") != strings.Count(lines[0], "\t") {
		t.Errorf("sequences = %s, want one header, then a comment and lines of as many columns", out)
	}
	heads, _ := saved(t, specOn(sentences, "deptree, loss: log", passes(3, "eg")))
	out, _ = predict(t, heads, "the D DT B-NP _\ncat N NN I-NP _\n", PredictOptions{AllMarginals: true})
	if lines = strings.Split(out, "\n"); lines[0] != "# global.columns = word cpos pos chunk head marginals" ||
		!strings.Contains(lines[1], ",2:0.") && !strings.Contains(lines[1], " 2:") {
		t.Errorf("heads = %s, want a column with pairs of heads and marginals", out)
	}
}

// TestPredictorDecode checks that Decode replaces the rule of prediction: the weights of a run that predicts by Viterbi
// then make the predictions of a run that predicts by marginals. It is refused without probabilities, and by models
// without the setting.
func TestPredictorDecode(t *testing.T) {
	const words = "name: words, train: 60, validation: 30"
	plain, _ := saved(t, predictSpec(words, "chain", "log", "", ""))
	text := written(load(t, plain).Validation)
	viterbi, _ := predict(t, plain, text, PredictOptions{})
	if err := plain.Decode("marginal"); err != nil {
		t.Fatal(err)
	}
	got, _ := predict(t, plain, text, PredictOptions{})
	marginal, _ := saved(t, predictSpec(words, "chain", "log", ", decode: marginal", ""))
	if want, _ := predict(t, marginal, text, PredictOptions{}); got != want || got == viterbi {
		t.Errorf("Decode(marginal) predicts\n%.200s\nwant\n%.200s\nwhich differs from viterbi:\n%.200s", got, want, viterbi)
	}
	if err := plain.Decode("viterbi"); err != nil {
		t.Fatal(err)
	}
	if got, _ := predict(t, plain, text, PredictOptions{}); got != viterbi {
		t.Error("Decode(viterbi) does not restore the predictions by Viterbi")
	}
	refused(t, "unknown rule", plain.Decode("beam"), `decode is "beam"`)
	hinge, _ := saved(t, specOn(words, "chain, loss: hinge",
		"regularisation: {convention: eg, C: 10}\nsolvers: [{name: bcfw}]\nstop: {passes: 2}\n"))
	refused(t, "marginal of a hinge", hinge.Decode("marginal"), "trained with the log loss", "hinge")
	if err := hinge.Decode("viterbi"); err != nil {
		t.Errorf("viterbi of a hinge: %v", err)
	}
	rows, _ := saved(t, predictSpec("name: digits, train: 60, validation: 40", "multiclass", "log", "", ""))
	refused(t, "rows", rows.Decode("marginal"), "model multiclass has no setting decode", "chain, chain-kernel, hmm")
}
