package cfg

import (
	"cmp"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// features is the feature map A_i of Model for one sentence of l words. The comment above Parts lists its parts. w has
// one weight per phrase rule, then one per lexical rule. Score and AddAdjoint take time proportional to the number of
// parts. The other methods skip the brackets, which have no weights.
type features struct {
	g        *grammar
	text     []string // words, for output
	start    []int32  // word t has the lexical parts R+start[t] .. R+start[t+1]−1, where R = number of phrase rules
	tag      []int32  // the tag of each lexical part
	weight   []int32  // for each lexical part: the index of its weight; −1 if the word is not in the training data
	sorted   []int32  // the lexical parts that have a weight, sorted by weight; repeated words share weights
	brackets bool
}

var (
	_ models.SparseMap = (*features)(nil)
	_ models.Gram      = (*features)(nil)
)

func newFeatures(g *grammar, t *datasets.Tree, brackets bool) *features {
	f := &features{g: g, start: []int32{0}, brackets: brackets}
	for _, leaf := range t.Leaves(nil) {
		tags, first := g.tags(leaf.Word)
		for i := range tags {
			weight := int32(-1)
			if first >= 0 {
				weight = first + int32(i)
				f.sorted = append(f.sorted, int32(len(f.weight)))
			}
			f.weight = append(f.weight, weight)
		}
		f.tag = append(f.tag, tags...)
		f.start = append(f.start, int32(len(f.tag)))
		f.text = append(f.text, leaf.Word)
	}
	slices.SortStableFunc(f.sorted, func(a, b int32) int { return cmp.Compare(f.weight[a], f.weight[b]) })
	return f
}

func (f *features) words() int { return len(f.text) }

func (f *features) check(parts, w []float64) {
	f.checkParts(parts)
	f.checkWeights(w)
}

func (f *features) checkParts(parts []float64) {
	if len(parts) != f.Parts() {
		panic("cfg: len(theta) != Parts()")
	}
}

func (f *features) checkWeights(w []float64) {
	if len(w) != f.g.weights() {
		panic("cfg: len(w) != Dim")
	}
}

func (f *features) Score(theta, w []float64) {
	f.check(theta, w)
	copy(theta[:f.g.rules], w)
	lexical := theta[f.g.rules:f.firstBracket()]
	for i, j := range f.weight {
		lexical[i] = 0
		if j >= 0 {
			lexical[i] = w[j]
		}
	}
	clear(theta[f.firstBracket():])
}

func (f *features) AddAdjoint(w []float64, c float64, mu []float64) {
	f.check(mu, w)
	for r, m := range mu[:f.g.rules] {
		w[r] += c * m
	}
	lexical := mu[f.g.rules:f.firstBracket()]
	for i, j := range f.weight {
		if j >= 0 {
			w[j] += c * lexical[i]
		}
	}
}

// NormSq returns |Aᵀv|², where A is the feature map. The parts of a word that occurs several times share one weight, so
// they are summed before squaring.
func (f *features) NormSq(v []float64) float64 {
	f.checkParts(v)
	sum := vec.NormSq(v[:f.g.rules])
	for i := 0; i < len(f.sorted); {
		var x float64
		_, x, i = f.merge(v, i)
		sum += x * x
	}
	return sum
}

func (f *features) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for r, m := range mu[:f.g.rules] {
		if m != 0 {
			dst.Index, dst.Value = append(dst.Index, int32(r)), append(dst.Value, m)
		}
	}
	for i := 0; i < len(f.sorted); {
		var j int32
		var x float64
		if j, x, i = f.merge(mu, i); x != 0 {
			dst.Index, dst.Value = append(dst.Index, j), append(dst.Value, x)
		}
	}
}

// merge sums v over the lexical parts that share a weight, beginning at index i of sorted. next is the index in sorted
// at which the next weight begins.
func (f *features) merge(v []float64, i int) (weight int32, sum float64, next int) {
	weight = f.weight[f.sorted[i]]
	for ; i < len(f.sorted) && f.weight[f.sorted[i]] == weight; i++ {
		sum += v[f.g.rules+int(f.sorted[i])]
	}
	return weight, sum, i
}

func (f *features) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	var s float64
	for _, r := range y {
		if j := f.weightOf(r); j >= 0 {
			s += w[j]
		}
	}
	return s
}

func (f *features) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	for _, r := range y {
		if j := f.weightOf(r); j >= 0 {
			w[j] += c
		}
	}
}

// weightOf returns the index of the weight of a part, or −1 if the part has none.
func (f *features) weightOf(part int) int {
	switch {
	case part < f.g.rules:
		return part
	case part < f.firstBracket():
		return int(f.weight[part-f.g.rules])
	}
	return -1
}

// The parts of a sentence of l words are
//
//	0 .. R−1      the phrase rules of the grammar; a labelling repeats a part as often as the tree uses the rule
//	R .. B−1      the tags that each word may have, word after word
//	B .. Parts−1  brackets: a label over a span, which has no weight and scores 0 under every w
//
// Two trees may use the same rules the same number of times, as the two trees of "a lot of news of today" do. The
// brackets distinguish such trees: with brackets, each labelling is exactly one tree, and its constituents can be read
// off its vertex. A chain of unary rules puts several labels over one span. Their order follows from the rules if the
// unary rules have no cycle. If they have one, each label has one bracket part per position in the chain.

// Parts returns the number of parts: R phrase rules, the lexical parts, and the brackets. Each of the l(l+1)/2 spans
// has one bracket (kinds() of them if unary rules have a cycle) for each phrase label and for the unknown label.
func (f *features) Parts() int {
	if !f.brackets {
		return f.firstBracket()
	}
	l := f.words()
	return f.firstBracket() + l*(l+1)/2*(f.g.phrases+1)*f.g.kinds()
}

func (f *features) firstBracket() int { return f.g.rules + len(f.tag) }
