package cfg_test

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/cfg"
	"github.com/gaplab/gaplab/models/modeltest/examples"
)

// cfgCase is a sentence with the list of all its trees. vertices has the labellings of the trees, in the same order.
type cfgCase struct {
	*models.Example
	all      []*datasets.Tree
	vertices []models.Vertex
	train    bool
	cyclic   bool
}

// cfgCases draws random treebanks and lists all trees of their training and validation sentences. It skips sentences
// that have more trees than the argument most. The examples of every second treebank store their forests. For the other
// treebanks, each oracle call parses the sentence.
func cfgCases(t *testing.T, treebanks, most int, compact bool) []cfgCase {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var out []cfgCase
	for i := range treebanks {
		train, validation := &datasets.Treebank{}, &datasets.Treebank{}
		labels, unary := 1+rng.IntN(3), rng.IntN(3)
		for range 1 + rng.IntN(3) {
			train.Trees = append(train.Trees, examples.RandomTree(rng, 1+rng.IntN(5), labels, unary))
			validation.Trees = append(validation.Trees, examples.RandomTree(rng, 1+rng.IntN(4), labels, unary))
		}
		if i%4 == 0 { // every fourth treebank has a cycle of unary rules
			train.Trees = append(train.Trees[:1], examples.Tree("(A (B (x a)))"), examples.Tree("(B (A (x b)))"))
			validation.Trees = append(validation.Trees[:1], examples.Tree("(A (x a) (x b))"))
		}
		m := cfg.Model{LossScale: 100, Forests: i % 2, Compact: compact}
		steps := 0
		for _, tree := range train.Trees {
			steps = max(steps, chain(examples.DropRepeats(tree)))
		}
		if i%3 == 0 && steps < 2 {
			m.Unaries, steps = 2, 2
		}
		task := buildCFG(t, m, train, validation)
		g := examples.GrammarOf(train, steps)
		for _, part := range []struct {
			bank     *datasets.Treebank
			examples []models.Example
		}{{train, task.Train}, {validation, task.Validation}} {
			for i, tree := range part.bank.Trees {
				all, ok := g.Parses(examples.Words(tree), most)
				if !ok {
					continue
				}
				c := cfgCase{Example: &part.examples[i], all: all, train: part.bank == train, cyclic: g.Cyclic()}
				for _, tree := range all {
					c.vertices = append(c.vertices, c.Features.(examples.TreeMap).Vertex(tree))
				}
				out = append(out, c)
			}
		}
	}
	return out
}

// chain returns the largest number of unary rules in a row in a tree.
func chain(t *datasets.Tree) int {
	longest, n := 0, 0
	for _, c := range t.Children {
		longest = max(longest, chain(c))
	}
	for ; len(t.Children) == 1; t = t.Children[0] {
		n++
	}
	return max(longest, n)
}

// indicator returns the number of times that a labelling has each part.
func indicator(y models.Vertex, parts int) []float64 {
	v := make([]float64, parts)
	for _, r := range y {
		v[r]++
	}
	return v
}

// TestCFGLabellingsAreTrees checks that different trees have different labellings, that a tree is restored from its
// labelling, and that two trees have the same features exactly if they use the same rules equally often.
func TestCFGLabellingsAreTrees(t *testing.T) {
	cases := cfgCases(t, 500, 150, false)
	var ambiguous, cyclic, tied, none int
	for _, c := range cases {
		f := c.Features.(examples.TreeMap)
		features := make([]models.Sparse, len(c.all))
		seen := map[string]bool{}
		for i, tree := range c.all {
			y := c.vertices[i]
			if got := f.Tree(y); !examples.SameTree(got, tree) {
				t.Fatalf("tree restored from the labelling of %s = %s", examples.Bracketed(tree), examples.Bracketed(got))
			}
			if !slices.IsSorted(y) || seen[examples.Bracketed(tree)] {
				t.Fatalf("%s: the labelling %v is not sorted, or the tree is listed twice", examples.Bracketed(tree), y)
			}
			seen[examples.Bracketed(tree)] = true
			c.Features.(models.SparseMap).Adjoint(&features[i], indicator(y, c.Features.Parts()))
			for j, other := range c.vertices[:i] {
				if other.Equal(y) {
					t.Fatalf("%s and %s have the same labelling %v", examples.Bracketed(tree), examples.Bracketed(c.all[j]), y)
				}
				if !c.train {
					continue // words that are not in the training data have no features
				}
				same := slices.Equal(features[i].Index, features[j].Index) && slices.Equal(features[i].Value, features[j].Value)
				if same != maps.Equal(examples.RuleCounts(tree), examples.RuleCounts(c.all[j])) {
					t.Fatalf("%s and %s: same features = %v, want the opposite, as for the counts of rules", examples.Bracketed(tree),
						examples.Bracketed(c.all[j]), same)
				}
				if same {
					tied++
				}
			}
		}
		if len(c.all) > 1 {
			ambiguous++
			if c.cyclic {
				cyclic++
			}
		}
		if len(c.all) == 0 {
			none++
		}
	}
	t.Logf("%d sentences: %d are ambiguous, %d of these with a cycle of unary rules; %d pairs of trees share their "+
		"features; %d sentences have no tree", len(cases), ambiguous, cyclic, tied, none)
	if ambiguous < 200 || cyclic < 50 || tied < 100 || none < 30 {
		t.Error("want at least 200 ambiguous sentences, 50 with a cycle, 100 pairs with the same features, 30 without a tree")
	}
}

// TestCFGOraclesAgainstEnumeration checks the oracles against the list of all trees. It draws thousands of score
// vectors with standard deviations up to 10⁴, on both sides of the limit at which LogSum changes its method.
func TestCFGOraclesAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for _, c := range cfgCases(t, 350, 400, false) {
		for _, scale := range []float64{0, 1, 1, 10, 100, 300, 1e4} {
			theta := make([]float64, c.Features.Parts())
			for r := range theta {
				theta[r] = scale * rng.NormFloat64()
			}
			c.checkMax(t, theta)
			c.checkSecond(t, theta, rng)
			c.checkLogSum(t, theta)
			if t.Failed() {
				return
			}
		}
	}
}

func nearly(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*max(1, math.Abs(b)) }

// best returns the highest score of all labellings, except the labelling in the argument not.
func (c *cfgCase) best(theta []float64, not models.Vertex) float64 {
	top := math.Inf(-1)
	for _, y := range c.vertices {
		if !y.Equal(not) {
			top = max(top, y.Dot(theta))
		}
	}
	return top
}

// has reports whether y is the labelling of some tree of the sentence.
func (c *cfgCase) has(y models.Vertex) bool {
	return slices.ContainsFunc(c.vertices, func(z models.Vertex) bool { return z.Equal(y) })
}

func (c *cfgCase) checkMax(t *testing.T, theta []float64) {
	t.Helper()
	y, v := c.Max.Max(nil, theta)
	want := c.best(theta, nil)
	switch {
	case len(c.all) == 0:
		if len(y) != 0 || !math.IsInf(v, -1) {
			t.Errorf("without a tree Max = %v with score %v, want no parts and −∞", y, v)
		}
	case !c.has(y) || !nearly(y.Dot(theta), want) || !nearly(v, want):
		t.Errorf("Max = %v with score %v, want the best of %d trees with score %v", y, v, len(c.all), want)
	}
}

func (c *cfgCase) checkSecond(t *testing.T, theta []float64, rng *rand.Rand) {
	t.Helper()
	first, _ := c.Max.Max(nil, theta)
	exclude := []models.Vertex{first, c.Truth}
	if len(c.all) > 0 {
		exclude = append(exclude, c.vertices[rng.IntN(len(c.all))])
	}
	for _, not := range exclude {
		y, v := c.Second.Second(nil, theta, not)
		want := c.best(theta, not)
		switch {
		case math.IsInf(want, -1):
			if len(y) != 0 || !math.IsInf(v, -1) {
				t.Errorf("without another tree Second = %v with score %v, want no parts and −∞", y, v)
			}
		case !c.has(y) || y.Equal(not) || !nearly(y.Dot(theta), want) || !nearly(v, want):
			t.Errorf("Second = %v with score %v, want the best of %d trees except %v with score %v", y, v, len(c.all), not, want)
		}
	}
}

func (c *cfgCase) checkLogSum(t *testing.T, theta []float64) {
	t.Helper()
	mu, want := make([]float64, len(theta)), make([]float64, len(theta))
	v := c.Exp.LogSum(mu, theta)
	top, z := c.best(theta, nil), 0.0
	for _, y := range c.vertices {
		z += math.Exp(y.Dot(theta) - top)
	}
	for _, y := range c.vertices {
		p := math.Exp(y.Dot(theta)-top) / z
		for _, r := range y {
			want[r] += p
		}
	}
	value := top
	if len(c.all) > 0 {
		value += math.Log(z)
	}
	if !nearly(v, value) || c.Exp.LogSum(nil, theta) != v {
		t.Errorf("LogSum = %v, without marginals %v, want %v from %d trees", v, c.Exp.LogSum(nil, theta), value, len(c.all))
	}
	for r := range mu {
		if math.Abs(mu[r]-want[r]) > 1e-7 { // scores of size 10⁴ have rounding errors of about 1e-11, which add up in a tree
			t.Errorf("marginal of part %d = %v, want %v from %d trees", r, mu[r], want[r], len(c.all))
		}
	}
}

// TestCFGCompactSumsOverTrees checks that without brackets LogSum still sums over all trees, even if several trees
// share a labelling, and that the examples have no SecondOracle.
func TestCFGCompactSumsOverTrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	shared := 0
	for _, c := range cfgCases(t, 200, 200, true) {
		if !c.train {
			continue
		}
		if c.Second != nil {
			t.Fatal("an example without brackets has a SecondOracle, want none")
		}
		for i, y := range c.vertices {
			for _, z := range c.vertices[:i] {
				if y.Equal(z) {
					shared++
				}
			}
		}
		theta := make([]float64, c.Features.Parts())
		for r := range theta {
			theta[r] = rng.NormFloat64()
		}
		c.checkMax(t, theta)
		c.checkLogSum(t, theta)
	}
	if shared < 50 {
		t.Errorf("pairs of trees that share a labelling = %d, want at least 50", shared)
	}
}

// TestCFGLongSentence checks the oracles on a sentence of 40 words: LogSum is at least the best score, the marginals
// are the derivatives of LogSum, and with large scores the marginals are close to the indicator of the best tree.
func TestCFGLongSentence(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	bank := &datasets.Treebank{Trees: []*datasets.Tree{examples.RandomTree(rng, 40, 3, 1)}}
	for range 5 {
		bank.Trees = append(bank.Trees, examples.RandomTree(rng, 8, 3, 1))
	}
	for _, scale := range []float64{1, 1e4} {
		e := &buildCFG(t, cfg.Model{LossScale: 100, Forests: 256}, bank, nil).Train[0]
		theta := make([]float64, e.Features.Parts())
		for r := range theta {
			theta[r] = scale * rng.NormFloat64()
		}
		mu := make([]float64, len(theta))
		v := e.Exp.LogSum(mu, theta)
		best, top := e.Max.Max(nil, theta)
		second, next := e.Second.Second(nil, theta, best)
		if math.IsNaN(v) || v < top-1e-9*math.Abs(top) || next > top || second.Equal(best) ||
			math.Abs(second.Dot(theta)-next) > 1e-9*math.Abs(next) {
			t.Errorf("scores of size %v: LogSum = %v, best = %v, second best = %v: want LogSum ≥ best ≥ second best", scale, v,
				top, next)
		}
		for trial := range 20 {
			r := rng.IntN(len(theta))
			if trial%2 == 0 {
				r = best[rng.IntN(len(best))]
			}
			if scale == 1 {
				const h = 1e-4
				at := theta[r]
				theta[r] = at + h
				up := e.Exp.LogSum(nil, theta)
				theta[r] = at - h
				down := e.Exp.LogSum(nil, theta)
				theta[r] = at
				if d := (up - down) / (2 * h); math.Abs(d-mu[r]) > 1e-5*max(1, d) {
					t.Errorf("marginal of part %d = %v, want the slope of LogSum %v", r, mu[r], d)
				}
			} else if count := indicator(best, len(theta)); math.Abs(mu[r]-count[r]) > 1e-6 {
				t.Errorf("marginal of part %d = %v, want about %v as in the best tree", r, mu[r], count[r])
			}
		}
	}
}

// TestCFGScoresFarApart checks scores whose exponentials underflow or lose digits, although the score of the better
// tree is moderate. LogSum must detect this and change to its slower method.
func TestCFGScoresFarApart(t *testing.T) {
	bank := examples.Trees("(S (A (x a)) (A (x a)))", "(S (B (x a)) (B (x a)))")
	e := &buildCFG(t, cfg.Model{LossScale: 100, Forests: 1}, bank, nil).Train[0]
	whole := e.Truth[len(e.Truth)-1] // the bracket S over both words
	for _, c := range []struct {
		scores  [6]float64 // scores of A → x, S → A A, B → x, S → B B, and of the tag x of each word
		bracket float64
		want    float64 // score of the better tree, such as 2·(A → x) + (S → A A) + tags + bracket
	}{
		{[6]float64{340, -800, -75, 0, 0, 0}, 0, -120},            // exp(−800) underflows to 0, which loses the better tree
		{[6]float64{-170, -62, -170, -190, -170, -170}, 650, -92}, // exp(−742) is subnormal and has few correct digits
		{[6]float64{-170, -62, -170, -190, -170, -170}, 0, -742},
		{[6]float64{170, 62, 0, 0, 170, 170}, 0, 742},
	} {
		theta := make([]float64, e.Features.Parts())
		copy(theta, c.scores[:])
		theta[whole] = c.bracket
		mu := make([]float64, len(theta))
		if v := e.Exp.LogSum(mu, theta); math.Abs(v-c.want) > 1e-10 {
			t.Errorf("scores %v, bracket %v: LogSum = %v, want %v", c.scores, c.bracket, v, c.want)
		}
		if best, _ := e.Max.Max(nil, theta); math.Abs(mu[best[0]]-2) > 1e-9 {
			t.Errorf("scores %v, bracket %v: marginal of rule %d = %v, want 2", c.scores, c.bracket, best[0], mu[best[0]])
		}
	}
}
