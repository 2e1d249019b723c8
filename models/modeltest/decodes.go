package modeltest

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// decodes checks that a decoder gives each training example the part scores that the task gives it, also if its rows
// have features that no training row has, of which the decoder must warn. It also checks that the decoder refuses data
// that are not exactly one example, and that it writes true labellings as the true labels.
func (x listed) decodes(t testing.TB, decoder models.Decoder) {
	t.Helper()
	for _, list := range [][]int{nil, {0, 1}, {0, 0, 0}} {
		if d := picked(x.data.Train, list); d != nil {
			if _, err := decoder.Example(d); err == nil {
				t.Errorf("the restored model accepts %d %s: want an error, since Example takes one", len(list), d.Kind())
			}
		}
	}
	w := examples.Weights(17, x.task.Dim())
	for i := range min(6, len(x.task.Train)) {
		d := picked(x.data.Train, []int{i})
		if d == nil || x.below != nil {
			return
		}
		e, err := decoder.Example(d)
		if err != nil {
			t.Fatalf("the restored model does not accept train[%d]: %v", i, err)
		}
		if _, ok := decoder.(models.Chooser); e.Truth != nil || e.Max == nil || ok && x.task.Train[i].Exp != nil &&
			e.Exp == nil {
			t.Errorf("train[%d] decoded: truth %v, a max-oracle: %v, an exp-oracle: %v; want no truth, and the oracles of "+
				"the task", i, e.Truth, e.Max != nil, e.Exp != nil)
		}
		n := x.task.Train[i].Features.Parts()
		if e.Features.Parts() != n {
			t.Errorf("train[%d] decoded has %d parts, but %d in the task", i, e.Features.Parts(), n)
			continue
		}
		want := make([]float64, n)
		x.task.Train[i].Features.Score(want, w)
		same := func(what string, e models.Example) {
			got := make([]float64, n)
			e.Features.Score(got, w)
			for r := range want {
				if !near(got[r], want[r], 1e-10) {
					t.Fatalf("train[%d] decoded%s: score of part %d is %v, but %v in the task", i, what, r, got[r], want[r])
				}
			}
		}
		same("", e)
		outputs(t, decoder, d, e, x.task.Train[i].Truth)
		wide := widened(d)
		if wide == nil {
			continue
		}
		if list := decoder.Warnings(); i == 0 && len(list) > 0 {
			t.Errorf("the restored model warns of training data: %q", list)
		}
		if e, err = decoder.Example(wide); err != nil || e.Features.Parts() != n {
			t.Fatalf("the restored model does not accept train[%d] with features beyond those of training: %v", i, err)
		}
		same(" with features beyond those of training", e)
		if len(decoder.Warnings()) == 0 {
			t.Errorf("the restored model does not warn of features that no training row has")
		}
	}
}

// widened returns a copy of rows or sequences in which the first row has values of features beyond the others. It
// returns nil for data of another kind.
func widened(data datasets.Data) datasets.Data {
	wide := func(x datasets.Rows) datasets.Rows {
		x.Index, x.Value, x.Start = slices.Clone(x.Index), slices.Clone(x.Value), slices.Clone(x.Start)
		at := x.Start[1]
		x.Index = slices.Insert(x.Index, at, int32(x.Dim), int32(x.Dim+3))
		x.Value = slices.Insert(x.Value, at, 5, -7)
		for i := 1; i < len(x.Start); i++ {
			x.Start[i] += 2
		}
		x.Dim += 4
		return x
	}
	switch d := data.(type) {
	case *datasets.Labelled:
		out := *d
		out.X = wide(d.X)
		return &out
	case *datasets.Sequences:
		out := *d
		out.X = wide(d.X)
		return &out
	}
	return nil
}

// picked returns the examples of the data with the given indices. It returns nil for data of another kind.
func picked(data datasets.Data, list []int) datasets.Data {
	switch d := data.(type) {
	case *datasets.Labelled:
		out := &datasets.Labelled{X: pickedRows(d.X, list), Classes: d.Classes}
		for _, i := range list {
			out.Y = append(out.Y, d.Y[i])
		}
		return out
	case *datasets.Discrete:
		return d.Pick(list)
	case *datasets.Sentences:
		return d.Pick(list)
	case *datasets.Treebank:
		out := &datasets.Treebank{}
		for _, i := range list {
			out.Trees = append(out.Trees, d.Trees[i])
		}
		return out
	case *datasets.Sequences:
		out := &datasets.Sequences{Start: []int{0}, Labels: d.Labels}
		var rows []int
		for _, i := range list {
			for t := d.Start[i]; t < d.Start[i+1]; t++ {
				rows, out.Y = append(rows, t), append(out.Y, d.Y[t])
			}
			out.Start = append(out.Start, len(rows))
		}
		out.X = pickedRows(d.X, rows)
		return out
	}
	return nil
}

// pickedRows returns the rows with the given indices. They are sparse, since a decoder reads sparse rows.
func pickedRows(x datasets.Rows, list []int) datasets.Rows {
	out := datasets.Rows{N: len(list), Dim: x.Dim, Start: []int{0}, Index: []int32{}}
	for _, i := range list {
		index, value := x.Row(i)
		for p, v := range value {
			f := int32(p)
			if index != nil {
				f = index[p]
			}
			if v != 0 {
				out.Index, out.Value = append(out.Index, f), append(out.Value, v)
			}
		}
		out.Start = append(out.Start, len(out.Index))
	}
	return out
}
