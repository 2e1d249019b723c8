package cfg_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestDecoderTakesOneSentence checks that a restored grammar parses each training sentence, that it refuses any other
// number of sentences and other data, and that it warns of sentences without a tree.
func TestDecoderTakesOneSentence(t *testing.T) {
	bank := examples.Ambiguous()
	task := buildCFG(t, *cfg.New(), bank, (*datasets.Treebank)(nil))
	d := examples.Restored(t, cfg.New(), task)
	for n := range len(bank.Trees) + 1 {
		if _, err := d.Example(&datasets.Treebank{Trees: bank.Trees[:n]}); (err == nil) != (n == 1) {
			t.Errorf("%d sentences: error %v, want one unless there is one sentence", n, err)
		}
	}
	if _, err := d.Example(examples.Rows(1, 2, 2, false)); err == nil {
		t.Error("the decoder accepts a row")
	}
	w := make([]float64, d.Dim())
	parse := func(one *datasets.Treebank) *datasets.Tree {
		e, err := d.Example(one)
		if err != nil {
			t.Fatal(err)
		}
		theta := make([]float64, e.Features.Parts())
		e.Features.Score(theta, w)
		y, _ := e.Max.Max(nil, theta)
		return d.Output(one, e, y).(*datasets.Treebank).Trees[0]
	}
	for _, tree := range bank.Trees {
		got := parse(&datasets.Treebank{Trees: []*datasets.Tree{tree}})
		if got == nil || strings.Join(examples.Words(got), " ") != strings.Join(examples.Words(tree), " ") {
			t.Errorf("parse of %s = %v, want a tree of the same words", examples.Bracketed(tree), got)
		}
	}
	if list := d.Warnings(); len(list) > 0 {
		t.Errorf("warnings %q after sentences with trees, want none", list)
	}
	first := bank.Trees[0].Leaves(nil)[0]
	if got := parse(&datasets.Treebank{Trees: []*datasets.Tree{first}}); got != nil {
		t.Skipf("the word %s has a tree of its own", first.Word)
	}
	if list := d.Warnings(); len(list) != 1 || !strings.Contains(list[0], "no tree for 1 of ") {
		t.Errorf("warnings %q after a sentence without a tree, want one", list)
	}
}

// TestRestoredGrammar checks on random treebanks that a restored grammar finds the trees that the task finds for its
// validation sentences at random weights, with the same scores. Some of the sentences have unknown words or no tree.
// The warnings count the sentences without a tree since the last warnings.
func TestRestoredGrammar(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 4))
	without := 0
	for bank := range 60 {
		train, held := &datasets.Treebank{}, &datasets.Treebank{}
		for range 5 {
			train.Trees = append(train.Trees, examples.RandomTree(rng, 2+rng.IntN(5), 3, bank%3))
			held.Trees = append(held.Trees, examples.RandomTree(rng, 1+rng.IntN(5), 3, bank%3))
		}
		leaf := held.Trees[0].Leaves(nil)[0]
		leaf.Word = "unknown"
		m := cfg.Model{LossScale: 1, Forests: bank % 2, Unaries: []int{0, 8}[bank/2%2]}
		task := buildCFG(t, m, train, held)
		d := examples.Restored(t, m, task)
		w := examples.Weights(uint64(bank), task.Dim())
		none := 0
		for range 2 { // the second round begins with new counts
			none = 0
			for i := range task.Validation {
				one := &datasets.Treebank{Trees: held.Trees[i : i+1]}
				e, err := d.Example(one)
				if err != nil {
					t.Fatal(err)
				}
				want := &task.Validation[i]
				a, b := make([]float64, want.Features.Parts()), make([]float64, e.Features.Parts())
				want.Features.Score(a, w)
				e.Features.Score(b, w)
				x, top := want.Predict(nil, a)
				y, value := e.Predict(nil, b)
				got := d.Output(one, e, y).(*datasets.Treebank)
				tree := want.Features.(examples.TreeMap).Tree(x)
				if !slices.Equal(a, b) || !x.Equal(y) || top != value || len(got.Trees) != 1 ||
					(tree == nil) != (got.Trees[0] == nil) || tree != nil && !examples.SameTree(tree, got.Trees[0]) {
					t.Fatalf("treebank %d, sentence %d: labelling %v with score %v, want %v with %v", bank, i, y, value, x, top)
				}
				if tree == nil {
					none++
				}
			}
			want := []string{fmt.Sprintf("the grammar has no tree for %d of 5 sentences", none)}
			if none == 0 {
				want = nil
			}
			if list := d.Warnings(); !slices.Equal(list, want) {
				t.Errorf("treebank %d: warnings %q, want %q", bank, list, want)
			}
		}
		if list := d.Warnings(); list != nil {
			t.Errorf("treebank %d: warnings %q a second time, want none", bank, list)
		}
		without += none
	}
	if without < 20 || without > 280 {
		t.Errorf("%d of 300 sentences have no tree, want a share for a useful test", without)
	}
}

// TestUnaries checks that the setting unaries allows more unary rules in a row than a training tree has, and that 0
// allows as many as the training trees have. The tree A → B → y needs both rules over one span.
func TestUnaries(t *testing.T) {
	train := examples.Trees("(A (B (y c) (x b)))", "(B (y c))", "(S (A (y c)) (x b))")
	for unaries, want := range map[int]bool{0: false, 1: false, 2: true, 3: true, 8: true} {
		task := buildCFG(t, cfg.Model{LossScale: 1, Unaries: unaries}, train, examples.Trees("(S (A (B (y c))) (x b))"))
		theta := make([]float64, task.Validation[0].Features.Parts())
		for _, r := range task.Validation[0].Truth {
			theta[r] = 1
		}
		best, _ := task.Validation[0].Max.Max(nil, theta)
		if found := best.Equal(task.Validation[0].Truth); found != want {
			t.Errorf("unaries %d: the tree with two unary rules in a row is found: %v, want %v", unaries, found, want)
		}
	}
}

// TestDamagedGrammars checks that a grammar refuses vocabularies with indices out of range.
func TestDamagedGrammars(t *testing.T) {
	task := buildCFG(t, *cfg.New(), examples.Trees("(S (A (x a) (y b) (x c)) (x a))", "(S (B (A (x a) (x a))))"), nil)
	sound, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		change func(v map[string]any)
		sound  bool
	}{
		{func(map[string]any) {}, true},
		{func(v map[string]any) { v["phrases"] = -1 }, false},
		{func(v map[string]any) { v["phrases"] = 6 }, false},
		{func(v map[string]any) { v["phrases"] = 1 }, false}, // then some rule has a tag as its parent
		{func(v map[string]any) { v["unaries"] = -1 }, false},
		{func(v map[string]any) { v["unaries"] = 1001 }, false},
		{func(v map[string]any) { v["roots"] = []int{} }, false},
		{func(v map[string]any) { v["roots"] = []int{0, 5} }, false},
		{func(v map[string]any) { v["roots"] = []int{0, -1} }, false},
		{func(v map[string]any) { v["roots"] = []int{0, 4} }, true},
		{func(v map[string]any) { v["prefixes"] = [][2]int{{5, 3}} }, false},
		{func(v map[string]any) { v["prefixes"] = [][2]int{{3, 5}} }, false},
		{func(v map[string]any) { v["prefixes"] = [][2]int{} }, false}, // then a rule begins with a symbol beyond the last
		{func(v map[string]any) { v["rules"] = [][3]int{{-2, 0, 0}} }, false},
		{func(v map[string]any) { v["rules"] = [][3]int{{6, 0, 0}} }, false},
		{func(v map[string]any) { v["rules"] = [][3]int{{5, 0, 0}} }, true},
		{func(v map[string]any) { v["rules"] = [][3]int{{0, 5, 0}} }, false},
		{func(v map[string]any) { v["rules"] = [][3]int{{0, 0, 3}} }, false},
		{func(v map[string]any) { v["words"] = []string{"a", "a", "c"} }, false},
		{func(v map[string]any) { v["words"] = []string{"a", "b"} }, false},
		{func(v map[string]any) { v["tags"] = [][2]int{{3, 0}} }, false},
		{func(v map[string]any) { v["tags"] = [][2]int{{0, 5}} }, false},
		{func(v map[string]any) { v["tags"] = [][2]int{{-1, 0}} }, false},
	} {
		var v map[string]any
		if err := json.Unmarshal(sound, &v); err != nil {
			t.Fatal(err)
		}
		c.change(v)
		text, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cfg.New().Restore(text); (err == nil) != c.sound {
			t.Errorf("vocabulary %s: error %v; accepted must be %v", text, err, c.sound)
		}
	}
}
