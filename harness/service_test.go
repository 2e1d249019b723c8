package harness

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// TestFeatures checks the text of rows of a request in LIBSVM format, in files whose indices begin with 1 and with 0.
func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		row       any
		from1     string
		zeroBased string
	}{
		{[]any{0.5, 0., -2.}, "1:0.5 3:-2", "0:0.5 2:-2"},
		{map[string]any{"10": 1., "2": 1e-300}, "2:1e-300 10:1", "2:1e-300 10:1"},
		{map[string]any{"2147483647": math.MaxFloat64}, "2147483647:1.7976931348623157e+308",
			"2147483647:1.7976931348623157e+308"},
		{[]any{}, "1:0", "0:0"},
		{map[string]any{"7": 0.}, "1:0", "0:0"},
		{map[string]any{"0": 1.}, "", "0:1"},
		{map[string]any{"-1": 1.}, "", ""},
		{map[string]any{"2147483648": 1.}, "", ""},
		{map[string]any{"1": "x"}, "", ""},
		{[]any{true}, "", ""},
		{"1:1", "", ""},
		{nil, "", ""},
	} {
		for first, want := range []string{c.zeroBased, c.from1} {
			if got, err := features(c.row, first); got != want || (err != nil) != (want == "") {
				t.Errorf("%v, indices from %d: %q, %v; want %q", c.row, first, got, err, want)
			}
		}
	}
}

// questionOf returns a question with all examples of a data set. Rows alternate between lists and maps, and the class
// of every second row of variables is left out.
func questionOf(data datasets.Data) (q Question) {
	row := func(x *datasets.Rows, i int, asMap bool) any {
		list, named := make([]any, x.Dim), map[string]any{}
		for j := range list {
			list[j] = 0.
		}
		index, value := x.Row(i)
		for k, v := range value {
			j := k
			if index != nil {
				j = int(index[k])
			}
			list[j], named[strconv.Itoa(j+1)] = v, v
		}
		if asMap {
			return named
		}
		return list
	}
	switch d := data.(type) {
	case *datasets.Labelled:
		for i := range d.X.N {
			q.Rows = append(q.Rows, row(&d.X, i, i%2 == 1))
		}
	case *datasets.Sequences:
		for i := range d.Len() {
			var rows []any
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				rows = append(rows, row(&d.X, int(t), i%2 == 1))
			}
			q.Sequences = append(q.Sequences, rows)
		}
	case *datasets.Discrete:
		for i := range d.Len() {
			named := map[string]any{}
			for v, x := range d.Row(i) {
				if v != d.Class || i%2 == 0 {
					named[d.Variables[v].Name] = d.Variables[v].Values[x]
				}
			}
			q.Rows = append(q.Rows, named)
		}
	case *datasets.Sentences:
		for i := range d.Len() {
			var tokens []any
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				var token []any
				for _, c := range d.Columns {
					token = append(token, c.Text[c.ID[t]])
				}
				if d.Heads != nil {
					token = append(token, strconv.Itoa(int(d.Heads[t])))
				}
				tokens = append(tokens, token)
			}
			q.Sentences = append(q.Sentences, tokens)
		}
	case *datasets.Treebank:
		for _, tree := range d.Trees {
			var words []any
			for _, leaf := range regexp.MustCompile(`\([^ ()]+ ([^ ()]+)\)`).FindAllStringSubmatch(
				datasettest.Bracketed(tree), -1) {
				words = append(words, leaf[1])
			}
			q.Sentences = append(q.Sentences, words)
		}
	}
	return q
}

// checkAnswers checks that the answer to a question with the examples of a data set has the predictions, scores and
// marginals that Predict writes for the same examples as a text.
func checkAnswers(t *testing.T, p *Predictor, data datasets.Data, text string) {
	t.Helper()
	_, isTree := data.(*datasets.Treebank)
	for _, o := range []PredictOptions{{}, {Scores: true, Marginals: true}, {Scores: true}, {AllScores: true},
		{AllMarginals: true}} {
		if p.Allows(o) != nil || o.Marginals && isTree {
			continue
		}
		q := questionOf(data)
		q.Scores, q.Marginals, q.AllScores, q.AllMarginals = o.Scores, o.Marginals, o.AllScores, o.AllMarginals
		answer, err := p.Answer(t.Context(), q)
		if err != nil {
			t.Fatalf("%s: %v", p.weights.Model, err)
		}
		o.JSON = true
		out, _ := predict(t, p, text, o)
		lines := strings.Split(strings.TrimSpace(out), "\n")
		if len(lines) != len(answer) || len(answer) != data.Len() {
			t.Fatalf("%s: %d answers and %d predictions, want %d", p.weights.Model, len(answer), len(lines), data.Len())
		}
		for i, line := range lines {
			var want, got map[string]any
			own, err := json.Marshal(answer[i])
			if err := errors.Join(err, json.Unmarshal(own, &got), json.Unmarshal([]byte(line), &want)); err != nil {
				t.Fatal(err)
			}
			if tokens, ok := want["tokens"].([]any); ok != (p.list() == "sentences" && !isTree) || ok && len(tokens) !=
				len(q.Sentences[i]) || ok && tokens[0] != q.Sentences[i][0].([]any)[0] {
				t.Fatalf("%s: tokens %q of the example %v, want its first column", p.weights.Model, tokens, q.Sentences[i])
			}
			delete(want, "tokens")
			delete(got, "notes")
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s, %+v: answer %d is\n%s, want\n%s as Predict writes", p.weights.Model, o, i, own, line)
			}
		}
	}
}
