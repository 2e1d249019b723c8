package chain_test

import (
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
	"github.com/gaplab/gaplab/models/chain"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// TestDecoderWritesSentences checks that a restored chain writes the true labelling of each training sentence as a
// sound sentence with the true labels and no other column, also after a longer sentence.
func TestDecoderWritesSentences(t *testing.T) {
	s := examples.Sentences([]string{"word", "pos"}, "the/DT old/JJ man/NN sleeps/VBZ", "go/VB", "the/DT man/NN")
	m := chain.Model{}
	task := examples.Build(t, m, s, nil)
	d := examples.Restored(t, m, task)
	for i := range task.Train {
		one := s.Pick([]int{i})
		e, err := d.Example(one)
		if err != nil {
			t.Fatal(err)
		}
		out := d.Output(one, e, task.Train[i].Truth).(*datasets.Sentences)
		datasettest.CheckSentences(t, out)
		want := &datasets.Sentences{Start: one.Start, Columns: one.Columns[1:]}
		if got := datasettest.Written(out); got != datasettest.Written(want) {
			t.Errorf("the true labelling of sentence %d is written as %q, want %q", i, got, datasettest.Written(want))
		}
	}
}
