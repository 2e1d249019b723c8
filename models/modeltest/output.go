package modeltest

import (
	"reflect"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	measures "github.com/gaplab/gaplab/datasets/score"
	"github.com/gaplab/gaplab/models"
)

// outputs checks that the decoder writes a labelling as data of the same kind with one example, and that it writes the
// true labelling of the training example truth as the labels that the data d have.
func outputs(t testing.TB, decoder models.Decoder, d datasets.Data, e models.Example, truth models.Vertex) {
	t.Helper()
	out := decoder.Output(d, e, truth)
	if reflect.TypeOf(out) != reflect.TypeOf(d) || out.Len() != 1 {
		t.Errorf("the true labelling is written as the %T %v, want one example of the type %T", out, out, d)
		return
	}
	var start []int
	tokens := 0
	switch out := out.(type) {
	case *datasets.Sentences:
		start, tokens = out.Start, d.(*datasets.Sentences).Start[1]
	case *datasets.Sequences:
		start, tokens = out.Start, d.(*datasets.Sequences).Start[1]
	}
	if start != nil && (start[0] != 0 || start[1] != tokens) {
		t.Errorf("the true labelling is written with offsets %v, want 0 and %d", start, tokens)
	}
	s := measures.New(decoder.Target())
	if s.Add(d, out); s.Labels == 0 || s.Wrong > 0 {
		t.Errorf("%d of %d labels of the true labelling are written wrongly, want some labels and none wrong", s.Wrong,
			s.Labels)
	}
}
