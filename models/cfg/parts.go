package cfg

import (
	"slices"

	"github.com/gaplab/gaplab/models"
)

// kinds returns the number of bracket parts per span and label: 1, or one per position in a chain of unary rules if
// these rules have a cycle.
func (g *grammar) kinds() int {
	if g.cyclic {
		return g.steps + 1
	}
	return 1
}

// bracket returns the part of a label over a span. Label −1 represents all labels that are not in the training data. If
// a unary rule derives the constituent, step is the number of unary constituents above it over the same span. If a rule
// with several children derives it, step is −1. The parts of one span and label have successive numbers, so a sorted
// list of brackets stays sorted if step is ignored.
func (f *features) bracket(span int, label int32, step int) int {
	if label < 0 {
		label = int32(f.g.phrases)
	}
	kind := 0
	if f.g.cyclic {
		kind = min(step+1, f.g.steps)
	}
	return f.firstBracket() + (span*(f.g.phrases+1)+int(label))*f.g.kinds() + kind
}

func (f *features) unbracket(part int) (span, label, kind int) {
	part -= f.firstBracket()
	part, kind = part/f.g.kinds(), part%f.g.kinds()
	return part / (f.g.phrases + 1), part % (f.g.phrases + 1), kind
}

// constituents returns the brackets among the parts of a labelling.
func (f *features) constituents(y models.Vertex) models.Vertex {
	first, _ := slices.BinarySearch(y, f.firstBracket())
	return y[first:]
}

// spanIndex returns the number of the span of the words with the indices from .. to−1 in a sentence of l words. Spans
// are numbered by width, then from left to right.
func spanIndex(l, from, to int) int {
	shorter := to - from - 1
	return shorter*l - shorter*(shorter-1)/2 + from
}

// spanAt inverts spanIndex.
func spanAt(l, span int) (from, to int) {
	width := 1
	for ; span > l-width; width++ {
		span -= l - width + 1
	}
	return span, span + width
}

// bracketF1 returns the contribution of one tree to the numerator and the denominator of F1, the harmonic mean of
// labelled precision and recall, 2·common/(predicted + true), over the constituents of all trees. A constituent is a
// label and a span. Tags do not count. A constituent that occurs twice in a tree counts twice. A sentence for which the
// grammar has no tree has no predicted constituents.
func bracketF1(prediction models.Vertex, e *models.Example) (num, den float64) {
	f := e.Features.(*features)
	p, y := f.constituents(prediction), f.constituents(e.Truth)
	den = float64(len(p) + len(y))
	for kinds := f.g.kinds(); len(p) > 0 && len(y) > 0; {
		a, b := (p[0]-f.firstBracket())/kinds, (y[0]-f.firstBracket())/kinds
		if a == b {
			num += 2
		}
		if a <= b {
			p = p[1:]
		}
		if b <= a {
			y = y[1:]
		}
	}
	return num, den
}
