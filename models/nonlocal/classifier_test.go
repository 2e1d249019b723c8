package nonlocal

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/inference/energy"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
	"github.com/gaplab/gaplab/models/multiclass"
)

// wordsOf returns sequences of the letters a to c that form words, with noisy rows of 4 numbers.
func wordsOf(seed uint64, words ...string) *datasets.Sequences {
	rng := rand.New(rand.NewPCG(seed, 1))
	s := &datasets.Sequences{X: datasets.Rows{Dim: 4}, Start: []int{0}, Labels: []string{"a", "b", "c"}}
	for _, word := range words {
		for _, letter := range word {
			row := []float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
			row[letter-'a'] += 2
			s.X.Value = append(s.X.Value, row...)
			s.Y = append(s.Y, int(letter-'a'))
		}
		s.Start = append(s.Start, len(s.Y))
	}
	s.X.N = len(s.Y)
	return s
}

func buildWords(t *testing.T, m WordClassifier, train, validation datasets.Data) *models.Task {
	return examples.Build(t, m, train, validation)
}

func TestWordClassifierConformance(t *testing.T) {
	train := wordsOf(1, "abc", "ab", "cab", "ba", "abc", "aaaa")
	task := buildWords(t, WordClassifier{Features: 7, Seed: 1, Bias: true}, train, wordsOf(2, "cab", "ba"))
	if task.Dim() != 8*(2+2+1) || task.Facts["words"] != 5 {
		t.Errorf("%d weights for %v words, want 40 for 5", task.Dim(), task.Facts["words"])
	}
	modeltest.Check(t, task, examples.OneOf().Labellings, modeltest.Examples(6))
}

// TestWordClassifierOfOneLength checks that the model is multinomial logistic regression on the features f(x) if all
// words have the same length.
func TestWordClassifierOfOneLength(t *testing.T) {
	train := wordsOf(3, "abc", "cab", "bca", "abc", "bca", "aaa")
	task := buildWords(t, WordClassifier{Features: 5, Bandwidth: 2, Seed: 9}, train, nil)
	fourier, err := energy.NewFourier(5, 4, 2, 9)
	if err != nil {
		t.Fatal(err)
	}
	rows := &datasets.Labelled{X: datasets.Rows{N: 6, Dim: 5}, Y: []int{0, 1, 2, 0, 2, 3},
		Classes: []string{"abc", "cab", "bca", "aaa"}}
	for i := range train.Len() {
		rows.X.Value = append(rows.X.Value, fourier.Mean(&train.X, train.Start[i], train.Start[i+1])...)
	}
	classes, err := multiclass.Model{}.Build(rows, nil)
	if err != nil {
		t.Fatal(err)
	}
	if task.Dim() != classes.Dim() {
		t.Fatalf("number of weights = %d, want %d", task.Dim(), classes.Dim())
	}
	rng := rand.New(rand.NewPCG(3, 3))
	w, g, h := make([]float64, task.Dim()), make([]float64, task.Dim()), make([]float64, task.Dim())
	for j := range w {
		w[j] = rng.NormFloat64()
	}
	got := examples.RiskOf(t, task, models.LogLoss(), 0.1).Gradient(g, w)
	want := examples.RiskOf(t, classes, models.LogLoss(), 0.1).Gradient(h, w)
	if math.Abs(got-want) > 1e-12 {
		t.Errorf("risk = %v, want %v", got, want)
	}
	for j := range g {
		if math.Abs(g[j]-h[j]) > 1e-12 {
			t.Fatalf("gradient at weight %d = %v, want %v", j, g[j], h[j])
		}
	}
}

// TestWordClassifierMetrics checks that the metrics count wrong letters and words, and include words that are not in
// the vocabulary.
func TestWordClassifierMetrics(t *testing.T) {
	train := wordsOf(4, "abc", "cab", "ab")
	// The predictions are abc, abc, ab, and nothing for aaaaa.
	task := buildWords(t, WordClassifier{Features: 3, Seed: 1, Bias: true}, train, wordsOf(5, "abc", "aab", "bc", "aaaaa"))
	w := make([]float64, task.Dim()) // at w = 0, the prediction is the first known word of each length
	want := map[string]float64{"validation_error": (0 + 2 + 2 + 5) / 13.0, "validation_sequence_error": 3.0 / 4}
	for name, v := range task.Evaluate(w, 1) {
		if math.Abs(v-want[name]) > 1e-15 {
			t.Errorf("%s = %v, want %v", name, v, want[name])
		}
	}
	if got := task.Validation[1].Truth; !got.Equal(models.Vertex{1}) {
		t.Errorf("nearest word of aab = %v, want 1, which is cab", got)
	}
	if len(task.Warnings) != 1 || !strings.Contains(task.Warnings[0], "1 validation sequences have a length") {
		t.Errorf("warnings = %q, want one about the word of 5 letters", task.Warnings)
	}
	if got := task.Validation[3].Features.Parts(); got != 1 {
		t.Errorf("number of parts of a word of an unknown length = %d, want 1", got)
	}
}

// TestWordClassifierSeed checks that the same seed gives the same features, and another seed gives other features.
func TestWordClassifierSeed(t *testing.T) {
	train := wordsOf(6, "abc", "cab")
	score := func(seed uint64) []float64 {
		task := buildWords(t, WordClassifier{Features: 4, Seed: seed}, train, nil)
		theta, w := make([]float64, 2), make([]float64, task.Dim())
		for j := range w {
			w[j] = float64(j)
		}
		task.Train[0].Features.Score(theta, w)
		return theta
	}
	if !slices.Equal(score(1), score(1)) || slices.Equal(score(1), score(2)) {
		t.Error("the same seed gives different features, or different seeds give the same features")
	}
}

func TestWordClassifierErrors(t *testing.T) {
	broken := func(change func(*datasets.Sequences)) *datasets.Sequences {
		s := wordsOf(7, "ab", "c")
		change(s)
		return s
	}
	good := broken(func(*datasets.Sequences) {})
	ok := *NewWordClassifier()
	for want, build := range map[string]func() (*models.Task, error){
		"features is 0: want a number of at least 1": func() (*models.Task, error) {
			return WordClassifier{}.Build(good, nil)
		},
		"bandwidth is -1: want a": func() (*models.Task, error) {
			return WordClassifier{Features: 1, Bandwidth: -1}.Build(good, nil)
		},
		"bandwidth is NaN": func() (*models.Task, error) {
			return WordClassifier{Features: 1, Bandwidth: math.NaN()}.Build(good, nil)
		},
		"the data set has labelled rows": func() (*models.Task, error) { return ok.Build(&datasets.Labelled{}, nil) },
		"validation data have sentences": func() (*models.Task, error) {
			return ok.Build(good, &datasets.Sentences{Start: []int{0}})
		},
		"there are no training sequences": func() (*models.Task, error) { return ok.Build(wordsOf(1), nil) },
		"validation sequence 2 is empty": func() (*models.Task, error) {
			return ok.Build(good, broken(func(s *datasets.Sequences) { s.Start = []int{0, 2, 2, 3} }))
		},
		"3 positions, 3 rows and 2 labels": func() (*models.Task, error) {
			return ok.Build(broken(func(s *datasets.Sequences) { s.Y = s.Y[:2] }), nil)
		},
		"5 features and 3 labels: want at most 4 and 3": func() (*models.Task, error) {
			return ok.Build(good, broken(func(s *datasets.Sequences) { s.X.Dim = 5 }))
		},
	} {
		_, err := build()
		examples.Refused(t, want, err, want)
	}
}

// TestRestoredWords checks that a restored classifier, whose words of different lengths alternate in the data, gives
// sequences the scores and the words that the task gives them, and unknown labels to a sequence of an unknown length.
func TestRestoredWords(t *testing.T) {
	train := wordsOf(1, "abc", "ab", "cab", "a", "ba", "abc", "aaaa", "bbb")
	held := wordsOf(2, "cab", "ba", "b", "aaaaa", "cccc")
	for _, m := range []WordClassifier{{Features: 7, Seed: 3, Bias: true}, {Features: 4, Seed: 1, Bandwidth: 3}} {
		task := buildWords(t, m, train, held)
		d := examples.Restored(t, m, task)
		fourier, err := energy.NewFourier(m.Features, 4, task.Facts["bandwidth"], m.Seed)
		if err != nil {
			t.Fatal(err)
		}
		order := map[int][]string{} // by length: the words of the training data, in order of appearance
		var lengths []int           // in order of appearance
		for labels := range labelWords(train) {
			word := ""
			for _, y := range labels {
				word += string(rune('a' + y))
			}
			if order[len(word)] == nil {
				lengths = append(lengths, len(word))
			}
			if !slices.Contains(order[len(word)], word) {
				order[len(word)] = append(order[len(word)], word)
			}
		}
		w := examples.Weights(3, task.Dim())
		for i := range task.Validation {
			lo, hi := held.Start[i], held.Start[i+1]
			one := examples.SequenceAt(held, i)
			e, err := d.Example(one)
			if err != nil {
				t.Fatal(err)
			}
			want := &task.Validation[i]
			a, b := make([]float64, want.Features.Parts()), make([]float64, e.Features.Parts())
			want.Features.Score(a, w)
			e.Features.Score(b, w)
			if len(a) != len(b) {
				t.Fatalf("sequence %d: %d parts, want %d", i, len(b), len(a))
			}
			for r := range a {
				if math.Abs(a[r]-b[r]) > 1e-12 {
					t.Fatalf("sequence %d: scores %v, want %v", i, b, a)
				}
			}
			if list := order[hi-lo]; list != nil {
				x := fourier.Mean(&held.X, lo, hi)
				if m.Bias {
					x = append(x, 1)
				}
				first := 0
				for _, n := range lengths[:slices.Index(lengths, hi-lo)] {
					first += len(order[n]) * len(x)
				}
				for c := range list {
					sum := 0.
					for f, v := range x {
						sum += v * w[first+f*len(list)+c]
					}
					if math.Abs(a[c]-sum) > 1e-12 {
						t.Fatalf("sequence %d: score of word %d = %v, want %v", i, c, a[c], sum)
					}
				}
			}
			y, _ := e.Predict(nil, b)
			out := d.Output(one, e, y).(*datasets.Sequences)
			var word strings.Builder
			for _, label := range out.Y {
				if label < 3 {
					word.WriteString(out.Labels[label])
				}
			}
			known := ""
			if list := order[hi-lo]; list != nil {
				known = list[slices.Index(a, slices.Max(a))]
			}
			if len(out.Y) != hi-lo || word.String() != known {
				t.Errorf("sequence %d: labels %v, want the word %q", i, out.Y, known)
			}
		}
	}
	const start = `{"features": 4, "labels": ["a", "b", "c"], `
	for text, want := range map[string]string{
		start + `"bandwidth": 1, "words": [[0, 1], [2]]}`: "",
		start + `"bandwidth": 1, "words": [[0, 3], [2]]}`: "word 1 is empty, or has labels",
		start + `"bandwidth": 1, "words": [[0], [-1]]}`:   "word 2 is empty, or has labels",
		start + `"bandwidth": 1, "words": [[0], []]}`:     "word 2 is empty",
		start + `"bandwidth": 0, "words": [[0]]}`:         "bandwidth is not positive",
		start + `"words": [[0]]}`:                         "bandwidth is not positive",
	} {
		_, err := NewWordClassifier().Restore([]byte(text))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("vocabulary %s: error %v, want %q", text, err, want)
		}
	}
}

// TestNearestWord checks that the first of equally near words is the nearest.
func TestNearestWord(t *testing.T) {
	l := &wordList{words: [][]int{{0, 1, 2}, {0, 2, 2}, {1, 1, 1}, {0, 2, 1}}}
	for _, c := range []struct {
		word        []int
		best, wrong int
	}{{[]int{0, 0, 2}, 0, 1}, {[]int{0, 2, 2}, 1, 0}, {[]int{1, 2, 1}, 2, 1}, {[]int{2, 0, 0}, 0, 3}} {
		if best, wrong := l.nearest(c.word); best != c.best || wrong != c.wrong {
			t.Errorf("nearest word of %v = %d with %d wrong labels, want %d with %d", c.word, best, wrong, c.best, c.wrong)
		}
	}
	if best, wrong := (&wordList{}).nearest([]int{1}); best != -1 || wrong != -1 {
		t.Errorf("nearest of no words = %d, %d, want −1, −1", best, wrong)
	}
}
