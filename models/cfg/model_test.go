package cfg_test

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/modeltest"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

func buildCFG(t testing.TB, m cfg.Model, train, validation datasets.Data) *models.Task {
	t.Helper()
	if validation == (*datasets.Treebank)(nil) {
		validation = nil
	}
	task, err := m.Build(train, validation)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func TestCFGConformance(t *testing.T) {
	cycle := examples.Trees("(A (B (x a)) (x b))", "(B (A (x a) (y b)))", "(A (B (A (y b) (y a))))")
	for _, c := range []struct {
		name              string
		train, validation *datasets.Treebank
		model             cfg.Model
		unary             int
	}{
		{"forests kept", examples.Ambiguous(), examples.Trees("(S (NP (NP (N I)) (PP (P with) (NP (N dogs)))) (VP (V saw)))"),
			cfg.Model{Forests: 1}, 1},
		{"forests not kept", examples.Ambiguous(), examples.Ambiguous(), cfg.Model{}, 1},
		{"unknown words", examples.Ambiguous(), examples.Trees("(S (NP (N you)) (VP (V see)))"), cfg.Model{}, 1},
		{"cycle of unary rules", cycle, examples.Trees("(A (B (A (x a) (y b))))"), cfg.Model{Forests: 1}, 2},
		{"no unary rules", examples.Trees("(S (S (x a) (x b)) (S (x a) (x a) (x b)))"), nil, cfg.Model{Forests: 1}, 0},
		// "I saw men" has one tree, so labellings and trees correspond even without brackets.
		{"compact", examples.Trees("(S (NP (N I)) (VP (V saw) (NP (N men))))", "(S (NP (N saw)) (VP (V I) (NP (N men))))"),
			nil,
			cfg.Model{Forests: 1, Compact: true}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.model.LossScale = 100
			task := buildCFG(t, c.model, c.train, c.validation)
			g := examples.GrammarOf(c.train, c.unary)
			sentence := map[*models.Example][]string{}
			for i := range task.Train {
				sentence[&task.Train[i]] = examples.Words(c.train.Trees[i])
			}
			for i := range task.Validation {
				sentence[&task.Validation[i]] = examples.Words(c.validation.Trees[i])
			}
			modeltest.Check(t, task, func(e *models.Example) (all []models.Vertex) {
				list, ok := g.Parses(sentence[e], 3000)
				if !ok {
					t.Fatalf("%q has %d trees or more, want at most 3000", sentence[e], len(list))
				}
				for _, tree := range list {
					all = append(all, e.Features.(examples.TreeMap).Vertex(tree))
				}
				return all
			}, modeltest.AnyTies())
		})
	}
}

// TestCFGPartsByHand checks the parts of a small sentence against parts found by hand. Rules are numbered in order of
// appearance, children first: rule 0 is A → x, rule 1 is S → A y A.
func TestCFGPartsByHand(t *testing.T) {
	bank := examples.Trees("(S (A (x a)) (y b) (A (x a)))", "(S (A (x c)) (y a) (A (x c)))")
	task := buildCFG(t, cfg.Model{LossScale: 100}, bank, bank)
	if want := 2 + 2 + 1 + 1; task.Dim() != want {
		t.Errorf("dimension = %d, want %d: 2 phrase rules; a with the tag x or y, b with y, c with x", task.Dim(), want)
	}
	e := &task.Train[0]
	// Parts 2 and 3 are the word a with the tags x and y; part 4 is b with y; parts 5 and 6 are a with x and y. The
	// brackets follow: S, A and the unknown label over each of the six spans [0 1) [1 2) [2 3) [0 2) [1 3) [0 3).
	want := models.Vertex{0, 0, 1, 2, 4, 5, 7 + 3*0 + 1, 7 + 3*2 + 1, 7 + 3*5}
	if !e.Truth.Equal(want) || e.Features.Parts() != 7+18 {
		t.Errorf("truth = %v of %d parts, want %v of 25", e.Truth, e.Features.Parts(), want)
	}
	// weights of the phrase rules A → x, S → A y A, then of the lexical rules x → a, y → a, y → b, x → c
	w := []float64{1, 10, 100, 1000, 1e4, 1e5}
	if got := e.Features.(models.SparseMap).Dot(w, e.Truth); got != 2*1+10+2*100+1e4 {
		t.Errorf("score of the truth = %v, want 10212", got)
	}
	if e.ZeroOne != 100 || e.Cost != nil {
		t.Errorf("label loss: ZeroOne = %v, Cost = %v, want 100 for a wrong tree and no Cost", e.ZeroOne, e.Cost)
	}
	if got := e.Features.(examples.TreeMap).Tree(e.Truth); !reflect.DeepEqual(got, bank.Trees[0]) {
		t.Errorf("tree of the truth = %s, want %s", examples.Bracketed(got), examples.Bracketed(bank.Trees[0]))
	}
}

// TestCFGRoundTrip checks that a tree is restored from its labelling. A constituent that only repeats the label of its
// single child is not restored.
func TestCFGRoundTrip(t *testing.T) {
	for _, texts := range [][2]string{
		{"(S (NP (NN fish)))", "(S (NP (NN fish)))"},
		{"(NN fish)", "(NN fish)"},
		{"(S (S (S (NP (NN fish)))))", "(S (NP (NN fish)))"},
		{"(NP (NP (NP (NP (A a) (B b))) (A a)))", "(NP (NP (A a) (B b)) (A a))"},
		{"(S (A a) (B b) (C c) (D d) (E e) (F f))", "(S (A a) (B b) (C c) (D d) (E e) (F f))"},
		{"(A (B (A (B (x a) (B (A (x b)))))))", "(A (B (A (B (x a) (B (A (x b)))))))"},
		{"(x (x (x a) (x b)))", "(x (x a) (x b))"}, // x is the label of a phrase and the tag of a word
	} {
		bank := examples.Trees(texts[0])
		e := &buildCFG(t, cfg.Model{LossScale: 1}, bank, bank).Validation[0]
		if got := examples.Bracketed(e.Features.(examples.TreeMap).Tree(e.Truth)); got != texts[1] {
			t.Errorf("%s: tree restored from its labelling = %s, want %s", texts[0], got, texts[1])
		}
		if y, v := e.Max.Max(nil, make([]float64, e.Features.Parts())); v != 0 || len(y) == 0 {
			t.Errorf("%s: Max = %v with score %v, want a tree that scores 0", texts[0], y, v)
		}
	}
}

// cfgMetrics returns the validation metrics of the labellings that prediction returns.
func cfgMetrics(task *models.Task, prediction func(e *models.Example) models.Vertex) map[string]float64 {
	out := map[string]float64{}
	for _, m := range task.Metrics {
		var num, den float64
		for i := range task.Validation {
			a, b := m.Of(prediction(&task.Validation[i]), &task.Validation[i])
			num, den = num+a, den+b
		}
		out[m.Name] = num / den
	}
	return out
}

// TestCFGMetricsByHand checks F1 and error of single predictions against values found by hand.
func TestCFGMetricsByHand(t *testing.T) {
	const gold = "(S (NP (N I)) (VP (V saw) (NP (NP (N men)) (PP (P with) (NP (N dogs))))))" // 7 constituents
	for _, c := range []struct {
		name, truth, prediction string
		f1, wrong               float64
	}{
		{"the truth itself", gold, gold, 1, 0},
		// All 6 predicted constituents are correct. The truth also has the NP of "men with dogs".
		{"other attachment", gold, "(S (NP (N I)) (VP (V saw) (NP (N men)) (PP (P with) (NP (N dogs)))))", 2 * 6. / (7 + 6),
			1},
		{"no tree", gold, "", 0, 1},
		{"label unseen in training", strings.Replace(gold, "(PP ", "(QP ", 1), gold, 2 * 6. / (7 + 7), 1},
		{"rule unseen in training", "(S (NP (N I)) (VP (V saw) (N men)))", "(S (NP (N I)) (VP (V saw) (NP (N men))))",
			2 * 3. / (3 + 4), 1},
		{"tag unseen with the word", strings.Replace(gold, "(V saw)", "(P saw)", 1), gold, 1, 1},
		{"repeated label dropped", strings.Replace(gold, "(S ", "(S (S ", 1) + ")", gold, 1, 0},
	} {
		task := buildCFG(t, cfg.Model{LossScale: 100}, examples.Ambiguous(), examples.Trees(c.truth))
		got := cfgMetrics(task, func(e *models.Example) models.Vertex {
			if c.prediction == "" {
				return models.Vertex{}
			}
			return e.Features.(examples.TreeMap).Vertex(examples.Tree(c.prediction))
		})
		if math.Abs(got["validation_f1"]-c.f1) > 1e-15 || got["validation_error"] != c.wrong {
			t.Errorf("%s: metrics = %v, want F1 %v and error %v", c.name, got, c.f1, c.wrong)
		}
	}
}

// TestCFGMetricOfCycles checks that F1 ignores the position of a label in a chain of unary rules, and counts a label
// that occurs twice over a span twice.
func TestCFGMetricOfCycles(t *testing.T) {
	train := examples.Trees("(A (B (A (B (x a) (x b)))))", "(B (A (x a) (x b)))")
	task := buildCFG(t, cfg.Model{LossScale: 100}, train, examples.Trees("(A (B (A (B (x a) (x b)))))"))
	for prediction, f1 := range map[string]float64{
		"(A (B (A (B (x a) (x b)))))": 1,
		"(B (A (B (A (x a) (x b)))))": 1, // the same labels over the same span
		"(B (A (B (x a) (x b))))":     2 * 3. / (4 + 3),
		"(A (x a) (x b))":             2 * 1. / (4 + 1),
	} {
		got := cfgMetrics(task, func(
			e *models.Example) models.Vertex {
			return e.Features.(examples.TreeMap).Vertex(examples.Tree(prediction))
		})
		if math.Abs(got["validation_f1"]-f1) > 1e-15 {
			t.Errorf("%s: F1 = %v, want %v", prediction, got["validation_f1"], f1)
		}
	}
}

// TestCFGWithoutATree checks a sentence for which the grammar has no tree, because its words are in another order: the
// prediction is empty, and none of the true constituents is found.
func TestCFGWithoutATree(t *testing.T) {
	task := buildCFG(t, cfg.Model{LossScale: 100}, examples.Ambiguous(),
		examples.Trees("(S (VP (V saw)) (NP (N I)))", "(S (NP (N I)) (VP (V saw)))"))
	got := task.Evaluate(make([]float64, task.Dim()), 1)
	if want := 2 * 3. / (3 + 3 + 3); math.Abs(got["validation_f1"]-want) > 1e-15 || got["validation_error"] != 0.5 {
		t.Errorf("metrics = %v, want F1 %v and error 0.5", got, want)
	}
	e := &task.Validation[0]
	mu := make([]float64, e.Features.Parts())
	mu[0] = 7
	if v := e.Exp.LogSum(mu, make([]float64, len(mu))); !math.IsInf(v, -1) || mu[0] != 0 {
		t.Errorf("without a tree LogSum = %v and a marginal = %v, want −∞ and 0", v, mu[0])
	}
	if got := e.Features.(examples.TreeMap).Tree(nil); got != nil {
		t.Errorf("tree of an empty labelling = %s, want nil", examples.Bracketed(got))
	}
}

func TestCFGBuildErrors(t *testing.T) {
	good := cfg.Model{LossScale: 100}
	bad := func(tree *datasets.Tree) *datasets.Treebank {
		return &datasets.Treebank{Trees: append(examples.Ambiguous().Trees, tree)}
	}
	empty := &datasets.Tree{Label: "S", Children: []*datasets.Tree{{Label: "NP", Children: []*datasets.Tree{}}}}
	for _, c := range []struct {
		model             cfg.Model
		train, validation datasets.Data
		want              string
	}{
		{good, examples.Rows(3, 2, 2, false), nil, "model cfg needs bracketed trees; the training data have labelled rows"},
		{good, examples.Ambiguous(), examples.Rows(3, 2, 2, false),
			"model cfg needs bracketed trees; the validation data have labelled rows"},
		{good, &datasets.Treebank{}, nil, "model cfg needs at least 1 training tree; the data set has none"},
		{good, bad(empty), nil, "model cfg: training tree 5: constituent NP has an empty list of children: want at " +
			"least one child, or, for a word, Children nil"},
		{good, examples.Ambiguous(), bad(nil),
			"model cfg: validation tree 5: there is a nil constituent: want a label with children or " +
				"a word"},
		{cfg.Model{LossScale: 100, Unaries: 1}, examples.Trees("(S (A a) (A a))", "(S (B (A a)))"), nil,
			"model cfg: unaries is 1, but training tree 2 has 2 unary rules in a row: want at least 2, or 0"},
		{cfg.Model{LossScale: 100, Unaries: -1}, examples.Ambiguous(), nil, "model cfg: unaries is -1: want 0 to 8"},
		{cfg.Model{}, examples.Ambiguous(), nil, "model cfg: loss_scale is 0: want a positive finite number"},
		{cfg.Model{LossScale: math.Inf(1)}, examples.Ambiguous(), nil,
			"model cfg: loss_scale is +Inf: want a positive finite number"},
		{cfg.Model{LossScale: 100, Forests: -1}, examples.Ambiguous(), nil,
			"model cfg: forests, the memory for parse forests, is -1: want 0 to 1000000 megabytes"},
	} {
		_, err := c.model.Build(c.train, c.validation)
		if fmt.Sprint(err) != c.want {
			t.Errorf("error = %q, want %q", fmt.Sprint(err), c.want)
		}
	}
}

// TestCFGFacts checks that a task reports the numbers of rules of its grammar.
func TestCFGFacts(t *testing.T) {
	task := examples.Build(t, cfg.Model{LossScale: 100},
		examples.Trees("(S (NP (N I)) (VP (V saw) (NP (N men))))", "(S (NP (N saw)) (VP (V I)))"), nil)
	// phrase rules: S → NP VP, NP → N, VP → V NP, VP → V; lexical rules: I and saw as N or V, men as N
	want := map[string]float64{"rules": 4, "lexical_rules": 5}
	if !maps.Equal(task.Facts, want) {
		t.Errorf("facts = %v, want %v", task.Facts, want)
	}
}
