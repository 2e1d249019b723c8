package harness

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// TestPredictorForgets checks that a prediction does not depend on the predictions that the same Predictor made before,
// with other options and other texts, and that Example shows one example in the list that the model needs, which Answer
// labels.
func TestPredictorForgets(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test predicts with tens of predictors")
	}
	list, texts := tinyWeights(t)
	for i, p := range list {
		var options []PredictOptions
		for _, o := range []PredictOptions{{AllScores: true}, {JSON: true}, {AllMarginals: true, JSON: true},
			{AllScores: true, JSON: true}, {Scores: true, Marginals: true, JSON: true}, {AllMarginals: true}, {},
			{Scores: true}} {
			if p.Allows(o) == nil && (!o.Marginals && !o.AllMarginals || p.weights.Kind != "bracketed trees") {
				options = append(options, o)
			}
		}
		more := texts[i] + "\n" + texts[i]
		if p.weights.Kind == (&datasets.Discrete{}).Kind() {
			more = texts[i]
		}
		for _, text := range []string{more, texts[i], more} {
			for _, o := range options {
				fresh, err := newPredictor(p.weights)
				if err != nil {
					t.Fatal(err)
				}
				want, _ := predict(t, fresh, text, o)
				if got, _ := predict(t, p, text, o); got != want {
					t.Errorf("%s, %+v: after other predictions %q, want %q", p.weights.Model, o, got, want)
				}
			}
		}
		var fields map[string]any
		var q Question
		err := json.Unmarshal([]byte(p.Example()), &q)
		if err == nil {
			err = json.Unmarshal([]byte(p.Example()), &fields)
		}
		if _, ok := fields[p.list()]; err != nil || !ok || len(fields) != 1 ||
			len(q.Rows)+len(q.Sequences)+len(q.Sentences) != 1 {
			t.Errorf("%s: example %s, %v; want one example in the list %s", p.weights.Model, p.Example(), err, p.list())
		}
		answersExample(t, p)
		wrong := Question{Rows: []any{[]any{1.}}}
		if p.list() == "rows" {
			wrong = Question{Sentences: [][]any{{[]any{"a"}}}}
		}
		_, err = p.Answer(t.Context(), wrong)
		refused(t, p.weights.Model, err, "; model "+p.weights.Model+" needs "+p.list())
		d := p.Describe()
		if d["model"] != p.weights.Model || d["loss"] != p.weights.Loss || d["weights"] != len(p.weights.W) ||
			d["examples"] != p.weights.Kind || d["list"] != p.list() || d["experiment"] != p.weights.Experiment ||
			d["marginals"] != (p.weights.Loss == "log") {
			t.Errorf("%s: description %v", p.weights.Model, d)
		}
	}
}

// answersExample checks that Answer labels the request that Example shows.
func answersExample(t testing.TB, p *Predictor) {
	t.Helper()
	var q Question
	err := json.Unmarshal([]byte(p.Example()), &q)
	var labels []Label
	if err == nil {
		labels, err = p.Answer(t.Context(), q)
	}
	if err != nil || len(labels) != 1 {
		t.Errorf("%s on %s: the answer to the example %s is %v, %v; want one label", p.weights.Model,
			p.weights.Data.Name+p.weights.Data.Format, p.Example(), labels, err)
	}
}

// TestAnswerLeavesThePredictor checks that a request, which is in UTF-8, does not change how later texts in files are
// read, and that each of two examples in a request has the notes and the size of its own.
func TestAnswerLeavesThePredictor(t *testing.T) {
	file := fileWith(t, "el D\nse\xf1or N\nest\xe1 V\n\nla D\nse\xf1ora N\nva V\n")
	p, _ := saved(t, specOn("path: "+file+", format: conll, columns: word pos, comments: true, encoding: ISO-8859-1",
		"chain, loss: log, label: pos", passes(50, "eg")))
	const text, want = "# x\nse\xf1or\nva\n", "# x\nse\xf1or N\nva V\n\n"
	for range 2 {
		answer, err := p.Answer(context.Background(),
			Question{Sentences: [][]any{{[]any{"señor"}, []any{"va"}}, {[]any{"#"}}}})
		if err != nil || len(answer) != 2 || !slices.Equal(answer[0].Labels, []string{"N", "V"}) ||
			len(answer[1].Labels) != 1 {
			t.Errorf("answer %+v, %v; want N and V, and one label", answer, err)
		}
		if out, _ := predict(t, p, text, PredictOptions{}); out != want {
			t.Errorf("after a request: prediction %q, want %q", out, want)
		}
	}
	refuse := func(tokens []any, want string) {
		_, err := p.Answer(context.Background(), Question{Sentences: [][]any{{[]any{"va"}}, tokens}})
		refused(t, fmt.Sprint(tokens), err, want)
	}
	refuse(nil, "sentences[1]: it has no tokens")
	refuse([]any{[]any{"va"}, []any{}}, "sentences[1]: token 1 is []")
	for _, r := range []rune{0, '\t', '\n', '\v', 0x1f, 0x7f, 0x85, 0xa0, 0x2028, 0x2029, 0xfeff, 0xfffd} {
		refuse([]any{[]any{"va", "a" + string(r) + "b"}}, "token 0, column 1: got ")
	}
	for _, r := range []rune{' ', '~', 0x80, 0x86, 0xa1, 0x2027, 0x202a, 0xfefe, 0xfffc} {
		if unprintable(r) {
			t.Errorf("the character %#x may not be in a token", r)
		}
	}
}

// TestRowsInCSV checks that names and values with any characters come back from the lines that a request with a table
// or with variables becomes.
func TestRowsInCSV(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	text := func() string {
		var b strings.Builder
		for range 1 + rng.IntN(5) {
			b.WriteString([]string{`"`, ",", " ", "a", "é", "\n", "1", "'", `\`}[rng.IntN(9)])
		}
		return b.String()
	}
	for range 200 {
		row, list, want := map[string]any{}, []any{}, map[string]string{}
		var table datasets.Table
		for range 1 + rng.IntN(4) {
			name, value := text(), text()
			if _, twice := row[name]; twice {
				continue
			}
			row[name], want[name] = value, value
			list, table.Columns = append(list, value), append(table.Columns, datasets.TableColumn{Name: name})
		}
		for about, read := range map[string]func() (string, error){
			"variables": func() (string, error) { return variables(row) },
			"a map":     func() (string, error) { return tableRow(row, table) },
			"a list":    func() (string, error) { return tableRow(list, table) },
		} {
			out, err := read()
			if err != nil {
				t.Fatalf("%s of %q: %v", about, row, err)
			}
			lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
			if err != nil || len(lines) != 2 {
				t.Fatalf("%s of %q is %q: %v", about, row, out, err)
			}
			got := map[string]string{}
			for k, name := range lines[0] {
				got[name] = lines[1][k]
			}
			if !maps.Equal(got, want) || len(lines[0]) != len(want) {
				t.Errorf("%s of %q is read as %q", about, row, got)
			}
		}
	}
	for _, row := range []any{map[string]any{}, map[string]any{"a": 1.}, []any{"a"}, "a", nil} {
		if out, err := variables(row); err == nil {
			t.Errorf("variables of %v: %q, want an error", row, out)
		}
	}
}

// TestLabelInJSON checks where the numbers of all labels stand in JSON: those of a row are a map, and those of the
// places of a sequence are a list of maps, also for one place. They replace the numbers of the predicted labels.
func TestLabelInJSON(t *testing.T) {
	all := []map[string]float64{{"a": 0.25, "<b>": 0.75}}
	two := []map[string]float64{{"a": 1}, {"b": 2}}
	score := 1.5
	for _, c := range []struct {
		label Label
		want  string
	}{
		{Label{Label: "a"}, `{"label":"a"}`},
		{Label{Label: "<b>", Score: &score, Marginals: []float64{0.5}}, `{"label":"<b>","score":1.5,"marginals":[0.5]}`},
		{Label{Label: "a", AllScores: all}, `{"label":"a","scores":{"<b>":0.75,"a":0.25}}`},
		{Label{Label: "a", AllMarginals: all}, `{"label":"a","marginals":{"<b>":0.75,"a":0.25}}`},
		{Label{Labels: []string{"a"}, AllMarginals: all}, `{"labels":["a"],"marginals":[{"<b>":0.75,"a":0.25}]}`},
		{Label{Heads: []int{0}, AllScores: all}, `{"heads":[0],"scores":[{"<b>":0.75,"a":0.25}]}`},
		{Label{Labels: []string{"a", "b"}, AllScores: two, AllMarginals: two, Marginals: []float64{9}},
			`{"labels":["a","b"],"scores":[{"a":1},{"b":2}],"marginals":[{"a":1},{"b":2}]}`},
		{Label{Tree: "(())", Tokens: []string{"x"}, Unknown: map[string]string{"c": "v"}, Notes: []string{"n"}},
			`{"tokens":["x"],"tree":"(())","unknown":{"c":"v"},"notes":["n"]}`},
	} {
		var out strings.Builder
		if err := writeJSON(&out, c.label); err != nil {
			t.Fatal(err)
		}
		var got, want any
		if json.Unmarshal([]byte(out.String()), &got) != nil || json.Unmarshal([]byte(c.want), &want) != nil ||
			!reflect.DeepEqual(got, want) || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%+v is %q, want %s", c.label, out.String(), c.want)
		}
	}
}

// TestDecodeKeepsTheFile checks that Decode does not change the weights from which the Predictor was made, which
// another may share, nor the Predictor if it fails. Weights with a setting of earlier programs are accepted.
// If the context has ended, Predict and Answer return its error.
func TestDecodeKeepsTheFile(t *testing.T) {
	p, _ := saved(t, predictSpec("name: words, train: 60, validation: 30", "chain", "log", "", ""))
	file := p.weights
	params := maps.Clone(file.Settings.Params)
	for _, rule := range []string{"marginal", "beam"} {
		before := p.weights
		if err := p.Decode(rule); (err == nil) != (rule == "marginal") || (p.weights == before) != (err != nil) {
			t.Errorf("Decode(%s): error %v, changed: %v", rule, err, p.weights != before)
		}
		if !reflect.DeepEqual(file.Settings.Params, params) {
			t.Errorf("Decode(%s) changes the settings in the file to %v", rule, file.Settings.Params)
		}
	}
	if p.weights.Settings.Params["decode"] != "marginal" {
		t.Errorf("after a rule that does not exist, the rule is %v, want marginal", p.weights.Settings.Params["decode"])
	}
	bare := *file
	bare.Settings.Params = nil
	if q, err := newPredictor(&bare); err != nil || q.Decode("marginal") != nil || bare.Settings.Params != nil {
		t.Errorf("weights without settings: %v, settings %v", err, bare.Settings.Params)
	}
	old := *file
	old.Data.Params = maps.Clone(old.Data.Params)
	old.Data.Params["validation_fraction"] = 0.2
	if _, err := newPredictor(&old); err != nil {
		t.Errorf("weights with the setting validation_fraction: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.Predict(ctx, strings.NewReader("a 1:1\n"), &strings.Builder{}, PredictOptions{})
	if !errors.Is(err, ctx.Err()) {
		t.Errorf("Predict after the context has ended: error %v", err)
	}
	if got, err := p.Answer(ctx, Question{Sequences: [][]any{{[]any{1.}}}}); !errors.Is(err, ctx.Err()) ||
		errors.Is(err, ErrQuestion) {
		t.Errorf("Answer after the context has ended: %v, error %v", got, err)
	}
}
