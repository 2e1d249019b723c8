package cfg_test

import (
	"encoding/json"
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
	text, err := json.Marshal(task.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	d, err := cfg.New().Restore(text)
	if err != nil {
		t.Fatal(err)
	}
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
