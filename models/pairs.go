package models

import (
	"sync"

	"github.com/gaplab/gaplab/models/internal/vec"
)

// SingleOracle is an optional interface of a MaxOracle whose labellings are the single parts. So Max returns the first
// part with the largest score.
type SingleOracle interface {
	MaxOracle
	SinglePart()
}

// pairs stores the examples of an objective in the form in which the hinge on two classes is computed fastest. The list
// rows is built when the objective is first evaluated, and used as long as the objective has the same list of examples.
type pairs struct {
	mu    sync.Mutex
	known []Example // the list of examples for which rows was made
	rows  []pair    // nil if the examples do not have this form
}

// pair is an example with two parts that are its labellings, and with one row x of features (RowMap). The field half is
// a factor: at weights w, the score of the true part is u = half·(x·w), and the score of the other part is −u.
type pair struct {
	index       []int32
	value       []float64
	half        float64
	right, cost float64 // label loss of the true part, and of the other part
}

// of returns the examples as pairs, or nil if they do not have this form.
func (p *pairs) of(examples []Example) []pair {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.known) != len(examples) || len(examples) == 0 || &p.known[0] != &examples[0] {
		p.known, p.rows = examples, pairsOf(examples)
	}
	return p.rows
}

func pairsOf(examples []Example) []pair {
	var rows []pair
	for i := range examples {
		e := &examples[i]
		_, single := e.Max.(SingleOracle)
		f, row := e.Features.(RowMap)
		if !single || !row || f.Parts() != 2 || e.ZeroOne > 0 || len(e.Cost) != 2 || len(e.Truth) != 1 {
			return nil
		}
		x, half, ok := f.Row()
		if !ok || half == 0 {
			return nil
		}
		if rows == nil {
			rows = make([]pair, len(examples))
		}
		t := e.Truth[0]
		if t == 0 {
			half = -half
		}
		rows[i] = pair{x.Index, x.Value, half, e.Cost[t], e.Cost[1-t]}
	}
	return rows
}

// hinge returns the hinge of the example at the weights w, as Loss.Value computes it, with the same bits.
func (e *pair) hinge(margin float64, w []float64) float64 {
	u := e.half * vec.DotRow(e.index, e.value, w)
	right, wrong := u, -u
	if margin != 0 {
		right += margin * e.right
		wrong += margin * e.cost
	}
	if wrong > right {
		return wrong - u
	}
	return right - u
}
