package kernel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// vocabulary is what predictions need of the training rows: the inputs whose kernel functions span the scores. They are
// all training inputs in the exact form, those of the basis, by class, in the other, and of chains all positions.
type vocabulary struct {
	classes.Vocabulary
	Start []int     `json:"start"`           // of the inputs in Index and Value, or in Value alone
	Index []int32   `json:"index,omitempty"` // none: the inputs are dense
	Value []float64 `json:"value"`
	Basis []int     `json:"basis,omitempty"` // offsets of the classes into the inputs
}

// keep is the vocabulary of some rows.
func keep(rows *datasets.Labelled, list []int32, basis []int) func() any {
	return func() any {
		v := vocabulary{Vocabulary: classes.Vocabulary{Features: rows.X.Dim, Classes: rows.Classes}, Start: []int{0},
			Basis: basis}
		for _, i := range list {
			index, value := rows.X.Row(int(i))
			v.Index, v.Value = append(v.Index, index...), append(v.Value, value...)
			v.Start = append(v.Start, len(v.Value))
		}
		return v
	}
}

// inputs are the rows of the vocabulary, or an error if it is damaged.
func (v *vocabulary) inputs() (*datasets.Labelled, error) {
	n := len(v.Start) - 1
	sparse := len(v.Index) > 0 || len(v.Value) == 0
	if n < 1 || v.Start[0] != 0 || v.Start[n] != len(v.Value) || sparse && len(v.Index) != len(v.Value) {
		return nil, errors.New("the inputs do not fill their rows")
	}
	for _, x := range v.Value {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, fmt.Errorf("a feature is %v", x)
		}
	}
	for i := range n {
		from, to := v.Start[i], v.Start[i+1]
		if from > to || !sparse && to-from != v.Features {
			return nil, fmt.Errorf("input %d is no row of %d features", i+1, v.Features)
		}
		for t := from; sparse && t < to; t++ {
			if j := v.Index[t]; j < 0 || int(j) >= v.Features || t > from && j <= v.Index[t-1] {
				return nil, fmt.Errorf("input %d: feature %d is out of order or of range", i+1, j)
			}
		}
	}
	rows := &datasets.Labelled{X: datasets.Rows{N: n, Dim: v.Features, Value: v.Value}, Classes: v.Classes}
	if sparse {
		rows.X.Start, rows.X.Index = v.Start, v.Index
	}
	return rows, nil
}

// read is a vocabulary, its inputs, and the kernel between them and others.
func (m Model) read(text []byte) (v *vocabulary, rows *datasets.Labelled, f *function, err error) {
	v = new(vocabulary)
	if err = json.Unmarshal(text, v); err != nil {
		return nil, nil, nil, err
	}
	if _, err = classes.ReadVocabulary(text); err != nil {
		return nil, nil, nil, err
	}
	if err = m.check(); err != nil {
		return nil, nil, nil, err
	}
	if rows, err = v.inputs(); err != nil {
		return nil, nil, nil, err
	}
	f, err = m.kernelOf(&rows.X)
	return v, rows, f, err
}

// Restore implements models.Restorer.
func (m Model) Restore(text []byte) (models.Decoder, error) {
	v, rows, f, err := m.read(text)
	if err != nil {
		return nil, err
	}
	if m.Basis > 0 {
		return m.restoreBasis(v, f, rows)
	}
	e := m.expand(f, rows.X.N, len(v.Classes))
	return &classes.Decoder{Vocabulary: v.Vocabulary, Weights: e.dim, Map: func(x *datasets.Rows) models.FeatureMap {
		index, value := x.Row(0)
		return &exactFeatures{expansion: e, at: -1, index: index, value: value, norm: vec.DotRow(nil, value, value)}
	}}, nil
}

// restoreBasis solves again for what makes the functions of the basis orthonormal.
func (m Model) restoreBasis(v *vocabulary, f *function, rows *datasets.Labelled) (models.Decoder, error) {
	n, k := rows.X.N, len(v.Classes)
	if n != m.Basis || len(v.Basis) != k+1 || v.Basis[0] != 0 || v.Basis[k] != n {
		return nil, fmt.Errorf("%d inputs for a basis of %d", n, m.Basis)
	}
	b := &basis{function: f, start: v.Basis}
	for y := range k {
		if v.Basis[y] > v.Basis[y+1] {
			return nil, errors.New("the classes of the basis are out of order")
		}
	}
	for j := range n {
		b.list = append(b.list, int32(j))
	}
	factors, _, err := b.factors(rows, b.values(rows))
	if err != nil {
		return nil, err
	}
	return &classes.Decoder{Vocabulary: v.Vocabulary, Weights: n, Map: func(x *datasets.Rows) models.FeatureMap {
		phi := b.values(&datasets.Labelled{X: *x})
		b.whiten(phi, factors)
		return &basisFeatures{b, phi}
	}}, nil
}
