package chain_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestRestoredPredicts checks that a restored chain gives the training examples the scores and the predictions of the
// task, whatever the rule of prediction is: rows with and without a bias, and text with features below the cutoff,
// conjunctions of up to three places, and numbers.
func TestRestoredPredicts(t *testing.T) {
	text := examples.Sentences([]string{"word", "size", "pos"}, "the/1/D old/2/J man/-3/N the/0/D dog/_/N",
		"dogs/4/N bark/1/V", "the/2/D old/1/J dog/2/N", "run/1/V")
	different := 0
	for _, decode := range []string{"viterbi", "marginal", "risk"} {
		for _, edges := range []string{"tied", "untied"} {
			for name, c := range map[string]struct {
				m     chain.Model
				train datasets.Data
			}{
				"rows":          {chain.Model{}, examples.Sequences(3, "sparse", 4, 5, 4, 1, 6)},
				"rows and bias": {chain.Model{Bias: true}, examples.Sequences(3, "sparse", 4, 5, 4, 1, 6)},
				"words":         {chain.Model{Features: "bias word[0] word[-1]|word[0]|word[1]"}, text},
				"cutoff": {chain.Model{Cutoff: 2,
					Features: "word[-1]|word[0] bias word[1]|suffix1[0]|word[-1] word[0]"}, text},
				"numbers": {chain.Model{Cutoff: 1,
					Features: "number:size[0] word[0]|number:size[1]|number:size[0] word[-1] bias"}, text},
			} {
				c.m.Decode, c.m.Edges = decode, edges
				task := examples.Build(t, c.m, c.train, nil)
				d := examples.Restored(t, c.m, task)
				for seed := range uint64(8) {
					w := examples.Weights(seed, task.Dim())
					for i := range task.Train {
						e, err := d.Example(pick(c.train, i))
						if err != nil {
							t.Fatal(err)
						}
						want := &task.Train[i]
						a, b := make([]float64, want.Features.Parts()), make([]float64, e.Features.Parts())
						want.Features.Score(a, w)
						e.Features.Score(b, w)
						if len(a) != len(b) || slices.ContainsFunc(a, math.IsNaN) {
							t.Fatalf("%s: %d scores, want %d", name, len(b), len(a))
						}
						for r := range a {
							if math.Abs(a[r]-b[r]) > 1e-12 {
								t.Fatalf("%s, decode %s, sequence %d: score %d = %v, want %v", name, decode, i, r, b[r], a[r])
							}
						}
						x, _ := want.Predict(nil, a)
						y, _ := e.Predict(nil, b)
						if !x.Equal(y) {
							t.Fatalf("%s, decode %s, %s, sequence %d: prediction %v, want %v", name, decode, edges, i, y, x)
						}
						if best, _ := want.Max.Max(nil, a); !best.Equal(x) {
							different++
						}
					}
				}
			}
		}
	}
	if different < 20 {
		t.Errorf("%d predictions differ from the best labelling, want at least 20 for a useful test", different)
	}
}

// pick returns one sequence or sentence of the data.
func pick(data datasets.Data, i int) datasets.Data {
	s, ok := data.(*datasets.Sequences)
	if !ok {
		return data.(*datasets.Sentences).Pick([]int{i})
	}
	return examples.SequenceAt(s, i)
}

// TestDamagedVocabularies checks that a chain refuses each damaged vocabulary of sentences with an error that says what
// is wrong.
func TestDamagedVocabularies(t *testing.T) {
	sound := map[string]any{"label": "pos", "labels": []string{"D", "N"}, "columns": []string{"word", "pos"},
		"templates": []string{"word[0]", "word[-1]|word[0]", "bias"}, "values": [][]string{{"the", "dog"}},
		"features": [][]int32{{198, 199}, {198, 199, 0, 198}, {0}}}
	for _, c := range []struct {
		key   string
		value any
		want  string
	}{
		{"label", "pos", ""},
		{"features", [][]int32{{}, {}, {}}, ""},
		{"features", [][]int32{{197}, {98, 99}, {}}, ""},
		{"labels", []string{"D"}, "has 1 labels: want at least 2"},
		{"columns", []string{"form", "pos"}, `there is no attribute "word"`},
		{"templates", []string{"word[0]", "word[-1]|word[0]"}, "the features of 3 templates: want 1 and 2"},
		{"templates", []string{"word[0]", "pos[-1]", "bias"}, "the label to predict"},
		{"values", [][]string{}, "the values of 0 attributes"},
		{"values", [][]string{{"the"}}, "a feature has the value 199: want 0 to 198"},
		{"features", [][]int32{{198, 199}, {198, 199}}, "the features of 2 templates"},
		{"features", [][]int32{{198, 200}, {198, 199}, {0}},
			`template "word[0]": a feature has the value 200: want 0 to 199`},
		{"features", [][]int32{{-1}, {198, 199}, {0}}, "a feature has the value -1"},
		{"features", [][]int32{{198, 198}, {198, 199}, {0}}, "a feature occurs twice"},
		{"features", [][]int32{{198}, {198, 199, 0, 198, 198, 199}, {0}}, "a feature occurs twice"},
		{"features", [][]int32{{198}, {198, 199, 0}, {0}}, `template "word[-1]|word[0]": there are 3 numbers`},
		{"features", [][]int32{{198}, {198, 199}, {0, 0}}, "there are 2 numbers"},
		{"patterns", map[string]string{"year": "("}, "patterns: year"},
		{"features", "x", ""},
	} {
		v := map[string]any{}
		for key, value := range sound {
			v[key] = value
		}
		v[c.key] = c.value
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		_, err = chain.New().Restore(text)
		switch {
		case c.value == "x":
			if err == nil {
				t.Error("features that are no lists are accepted")
			}
		case c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s = %v: error %v, want %q", c.key, c.value, err, c.want)
		}
	}
}

// TestDefaultTemplateNames compares the default templates with lists that are made by rule: for chunks, words and tags
// up to two tokens away, pairs of neighbouring words around the token, and all pairs and triples of neighbouring tags;
// otherwise seven templates each for three tokens, and a bias.
func TestDefaultTemplateNames(t *testing.T) {
	var chunks, words []string
	at := func(name string, from, to int) string {
		var list []string
		for offset := from; offset <= to; offset++ {
			list = append(list, fmt.Sprintf("%s[%d]", name, offset))
		}
		return strings.Join(list, "|")
	}
	for offset := -2; offset <= 2; offset++ {
		chunks = append(chunks, at("word", offset, offset), at("pos", offset, offset))
		for n := 1; n <= 2 && offset+n <= 2; n++ {
			chunks = append(chunks, at("pos", offset, offset+n))
		}
	}
	chunks = append(chunks, at("word", -1, 0), at("word", 0, 1))
	for offset := -1; offset <= 1; offset++ {
		for _, name := range []string{"word", "prefix2", "prefix3", "suffix1", "suffix2", "suffix3", "length"} {
			words = append(words, at(name, offset, offset))
		}
	}
	words = append(words, "bias")
	for _, c := range []struct {
		columns []string
		line    string
		want    []string
	}{
		{[]string{"word", "pos", "chunk"}, "a/D/B-X b/N/O", chunks},
		{[]string{"word", "pos", "ner"}, "a/D/B-X b/N/O", words},
		{[]string{"word", "chunk"}, "a/B-X b/O", words},
	} {
		task := examples.Build(t, chain.Model{}, examples.Sentences(c.columns, c.line), nil)
		text, err := json.Marshal(task.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		var v struct{ Templates []string }
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		slices.Sort(v.Templates)
		slices.Sort(c.want)
		if !slices.Equal(v.Templates, c.want) {
			t.Errorf("columns %q: templates %q, want %q", c.columns, v.Templates, c.want)
		}
	}
}

// TestExamplesWithNewLabels checks Task.Examples on sentences with a label that no training token has: the predictions
// at its positions are wrong, also in a second call, and the training data do not change. A column that the sentences
// lack, and a number that is none, are errors.
func TestExamplesWithNewLabels(t *testing.T) {
	columns := []string{"word", "size", "pos"}
	train := examples.Sentences(columns, "a/1/A b/2/B", "b/2/B")
	task := examples.Build(t, chain.Model{Features: "word[0]|number:size[0]"}, train, nil)
	if want := "pos from size, word: 2 labels"; task.About != want {
		t.Errorf("the task is about %q, want %q", task.About, want)
	}
	for range 2 {
		list, err := task.Examples(examples.Sentences(columns, "c/7/C b/3/B d/2/E", "b/2/B"))
		if err != nil {
			t.Fatal(err)
		}
		num, den := task.Metrics[0].Of(list[0].Truth, &list[0])
		other, _ := task.Metrics[0].Of(list[1].Truth, &list[1])
		if num != 2 || den != 3 || other != 0 {
			t.Errorf("errors of the truth = %v of %v, and %v, want 2 of 3 and 0", num, den, other)
		}
	}
	for i, want := range [][]string{{"a", "b"}, {"1", "2"}, {"A", "B"}} {
		if got := train.Columns[i].Text; !slices.Equal(got, want) {
			t.Errorf("texts of column %s after Examples: %q, want %q", columns[i], got, want)
		}
	}
	for want, s := range map[string]*datasets.Sentences{
		`no column "size"`:             examples.Sentences([]string{"word", "pos"}, "a/A"),
		"not a finite decimal number":  examples.Sentences(columns, "a/x/A"),
		"validation sentence 2 is emp": examples.Sentences(columns, "a/1/A", ""),
	} {
		if _, err := task.Examples(s); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// TestWrongIndices checks the errors of sentences with wrong indices, in training and in validation data, and of
// settings of sentences for rows.
func TestWrongIndices(t *testing.T) {
	good := func() *datasets.Sentences { return examples.Sentences([]string{"word", "pos"}, "a/A b/B a/A") }
	for want, change := range map[string]func(*datasets.Sentences){
		"column pos of the %s sentences has 2 tokens: want 3": func(s *datasets.Sentences) {
			s.Columns[1].ID = s.Columns[1].ID[:2]
		},
		"column word of the %s sentences has the text index 2 at token 3: want 0": func(s *datasets.Sentences) {
			s.Columns[0].ID[2] = 2
		},
		"column word of the %s sentences has the text index -1 at token 1": func(s *datasets.Sentences) {
			s.Columns[0].ID[0] = -1
		},
		"there are no %s sentences": func(s *datasets.Sentences) {
			s.Start = s.Start[:1]
		},
	} {
		bad := good()
		change(bad)
		_, err := chain.New().Build(bad, nil)
		examples.Refused(t, want, err, fmt.Sprintf(want, "training"))
		_, err = chain.New().Build(good(), bad)
		examples.Refused(t, want, err, fmt.Sprintf(want, "validation"))
	}
	for _, m := range []chain.Model{{Label: "pos"}, {Features: "word[0]"}, {Lexicon: "f"},
		{Patterns: map[string]string{"x": "y"}}} {
		_, err := m.Build(examples.Sequences(8, "sparse", 3, 2, 2, 2), nil)
		examples.Refused(t, fmt.Sprintf("%+v", m), err, "are for sentences")
	}
	for _, text := range []string{"1_000", "nan", "1e999", "-Inf", "0x1p4", "1,5", "", "__"} {
		s := examples.Sentences([]string{"word", "size", "pos"}, "a/1/A b/2/B")
		s.Columns[1].Text[1] = text
		_, err := chain.Model{Features: "number:size[0]"}.Build(s, nil)
		examples.Refused(t, text, err, fmt.Sprintf("%q is not a finite decimal number", text))
	}
}

// TestWordListOrder checks that a word's own form in the word list comes before its form in lower case, and that the
// classes of a word are one value, whatever their order in the file is.
func TestWordListOrder(t *testing.T) {
	m := chain.Model{Features: "lexicon[0]", Lexicon: "l"}
	if err := m.Read("l", strings.NewReader("May MONTH\nmay AUX\nrun V\nrun N\nwalk N\nwalk V\nyes\n")); err != nil {
		t.Fatal(err)
	}
	// MONTH, AUX three times, N+V twice, yes, no
	task := examples.Build(t, m, examples.Sentences([]string{"word", "pos"},
		"May/A may/B MAY/A run/B walk/A yes/A Run/A other/B"), nil)
	d := task.Train[0].Features.(models.SparseMap)
	value := func(at int) int32 {
		var s models.Sparse
		mu := make([]float64, d.Parts())
		mu[2*at] = 1
		d.Adjoint(&s, mu)
		return s.Index[0] / 2
	}
	var got []int32
	for at := range 8 {
		got = append(got, value(at))
	}
	if want := []int32{0, 1, 1, 2, 2, 3, 2, 4}; !slices.Equal(got, want) {
		t.Errorf("values of the attribute lexicon: %v, want %v", got, want)
	}
	if got := m.Files(); !slices.Equal(got, []string{"l"}) || chain.New().Files() != nil {
		t.Errorf("files %q, want only l", got)
	}
}
