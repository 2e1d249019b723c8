package kernel

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/classes"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// read reads a vocabulary. It returns the vocabulary, its inputs, and the kernel function with these inputs.
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

// restoreBasis returns the decoder of the low-rank form. It computes the Cholesky factors of the basis again.
func (m Model) restoreBasis(v *vocabulary, f *function, rows *datasets.Labelled) (models.Decoder, error) {
	n, k := rows.X.N, len(v.Classes)
	if n != m.Basis || len(v.Basis) != k+1 || v.Basis[0] != 0 || v.Basis[k] != n {
		return nil, fmt.Errorf("the vocabulary has %d training inputs in %d classes: want %d, the size of the basis, in all "+
			"classes", n, len(v.Basis)-1, m.Basis)
	}
	b := &basis{function: f, start: v.Basis}
	for y := range k {
		if v.Basis[y] > v.Basis[y+1] {
			return nil, errors.New("the offsets of the classes in the basis decrease")
		}
	}
	for j := range n {
		b.list = append(b.list, int32(j))
	}
	factors, _, err := b.factors(rows, b.values(&rows.X, b.list))
	if err != nil {
		return nil, err
	}
	return &classes.Decoder{Vocabulary: v.Vocabulary, Weights: n, Map: func(x *datasets.Rows) models.FeatureMap {
		phi := b.values(x, b.list)
		b.whiten(phi, factors)
		return &basisFeatures{b, phi}
	}}, nil
}
