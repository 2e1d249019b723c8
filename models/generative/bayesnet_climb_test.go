package generative

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
	"github.com/gaplab/gaplab/models"
)

// network returns rows that a random network generates.
func network(t testing.TB, variables, train int, seed uint64) *datasets.Discrete {
	t.Helper()
	g := generated.RandomNetwork{Train: train, Variables: variables, Values: 2, Classes: 3, Contrast: 1.5, Seed: seed}
	set, err := g.Load(context.Background(), datasets.Source{})
	if err != nil {
		t.Fatal(err)
	}
	return set.Train.(*datasets.Discrete)
}

// total returns the criterion BIC of a network (see climb).
func total(d *datasets.Discrete, parents [][]int) float64 {
	var sum float64
	for v, p := range parents {
		sum += familyScore(d, v, p)
	}
	return sum
}

// networks lists all acyclic networks over n variables, each as the parents of every variable.
func networks(n int) [][][]int {
	var out [][][]int
	c := &climber{parents: make([][]int, n)}
	arcs := n * (n - 1)
	for code := range 1 << arcs {
		for v := range c.parents {
			c.parents[v] = nil
		}
		bit := 0
		for v := range n {
			for u := range n {
				if u == v {
					continue
				}
				if code>>bit&1 == 1 {
					c.parents[v] = append(c.parents[v], u)
				}
				bit++
			}
		}
		acyclic := true
		for v := range n {
			acyclic = acyclic && !c.reaches(v, v)
		}
		if acyclic {
			out = append(out, slices.Clone(c.parents))
		}
	}
	return out
}

// TestClimbAgainstEnumeration checks that the search ends at a network that no change of one arc improves. With four
// variables, at least half of the searches must find the best of all 543 networks.
func TestClimbAgainstEnumeration(t *testing.T) {
	all := networks(4)
	if len(all) != 543 {
		t.Fatalf("networks over four variables = %d, want 543", len(all))
	}
	best := 0
	for seed := range uint64(10) {
		d := network(t, 3, 300, seed)
		parents := climb(d, []int{0, 1, 2})
		found, top := total(d, parents), math.Inf(-1)
		for _, n := range all {
			score := total(d, n)
			top = max(top, score)
			if score > found+1e-6 && arcsApart(n, parents) == 1 {
				t.Errorf("seed %d: network %v has the score %v, but %v, which differs by one arc, has the larger score %v", seed,
					parents, found, n, score)
			}
		}
		if found > top+1e-6 {
			t.Errorf("seed %d: score = %v, want at most the largest score of all networks %v", seed, found, top)
		}
		if found > top-1e-6 {
			best++
		}
	}
	if best < 5 {
		t.Errorf("searches that end at the best network = %d of 10, want at least 5", best)
	}
}

// arcsApart counts the pairs of variables between which two networks differ.
func arcsApart(a, b [][]int) (n int) {
	for v := range a {
		for u := range v {
			if slices.Contains(a[v], u) != slices.Contains(b[v], u) || slices.Contains(a[u], v) != slices.Contains(b[u], v) {
				n++
			}
		}
	}
	return n
}

// TestFamilyScore checks the score of a family, which is the log-likelihood of the rows minus a penalty, against values
// found by hand.
func TestFamilyScore(t *testing.T) {
	d := table(2, map[string]int{"00": 4, "01": 2, "11": 2})
	want := 6*math.Log(0.75) + 2*math.Log(0.25) - math.Log(8)/2
	if got := familyScore(d, 0, nil); math.Abs(got-want) > 1e-12 {
		t.Errorf("score without parents = %v, want %v", got, want)
	}
	want = 4*math.Log(1) + 2*2*math.Log(0.5) - 2*math.Log(8)/2
	if got := familyScore(d, 0, []int{1}); math.Abs(got-want) > 1e-12 {
		t.Errorf("score with a parent = %v, want %v", got, want)
	}
}

// TestBlanketIsEnough checks by enumeration that the tables of the class and its children determine the distribution of
// the class in the whole network.
func TestBlanketIsEnough(t *testing.T) {
	for _, c := range []struct {
		structure string
		seed      uint64
	}{{structureBIC, 1}, {structureBIC, 4}, {structureBIC, 6}, {structureChowLiu, 1}, {structureChowLiu, 2}} {
		d := network(t, 5, 400, c.seed)
		chosen := []int{0, 1, 2, 3, 4}
		var parents [][]int // parents of each variable in the whole network
		if c.structure == structureBIC {
			parents = climb(d, chosen)
		} else {
			all := append([]int{d.Class}, chosen...)
			parents = make([][]int, len(d.Variables))
			weight := func(i, j int) float64 { return mutualInformation(d, all[i], all[j], -1) }
			for i, p := range spanningTree(len(all), weight) {
				if p >= 0 {
					parents[all[i]] = []int{all[p]}
				}
			}
		}
		task, err := BayesNet{Nodes: 6, Structure: c.structure, LossScale: 1, Eta: 1, Prior: priorSmoothed}.Build(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		theta := distributions(task).MaximumLikelihood(task.Train, 0.1)
		scores := make([]float64, 3)
		for i := range 40 {
			task.Train[i].Features.Score(scores, theta)
			joint := make([]float64, 3)
			row := slices.Clone(d.Row(i))
			for y := range joint {
				row[d.Class] = uint8(y)
				for v := range d.Variables {
					joint[y] += conditional(d, v, parents[v], row)
				}
			}
			if a, b := classShares(scores), classShares(joint); math.Abs(a[0]-b[0])+math.Abs(a[1]-b[1]) > 1e-9 {
				t.Fatalf("%s, row %d: distribution of the class = %v, want %v as in the whole network", c.structure, i, a, b)
			}
		}
		if n := task.Facts["variables"]; n < 2 || n > 6 {
			t.Errorf("%s: variables = %v, want 2 to 6", c.structure, n)
		}
	}
}

// conditional returns log p(x_v | parents) for a row, from counts with 0.1 added to each.
func conditional(d *datasets.Discrete, v int, parents []int, row []uint8) float64 {
	match, all := 0.1, 0.1*float64(len(d.Variables[v].Values))
	for i := range d.Len() {
		r, same := d.Row(i), true
		for _, p := range parents {
			same = same && r[p] == row[p]
		}
		if same {
			all++
			if r[v] == row[v] {
				match++
			}
		}
	}
	return math.Log(match / all)
}

// classShares returns the distribution proportional to exp(scores).
func classShares(scores []float64) []float64 {
	out, sum := make([]float64, len(scores)), 0.0
	for c, s := range scores {
		out[c] = math.Exp(s - scores[0])
		sum += out[c]
	}
	for c := range out {
		out[c] /= sum
	}
	return out
}

// TestChowLiuAgainstEnumeration checks that the tree of Chow and Liu has the largest weight of all trees.
func TestChowLiuAgainstEnumeration(t *testing.T) {
	for seed := range uint64(5) {
		d := network(t, 3, 200, seed)
		weight := func(i, j int) float64 { return mutualInformation(d, i, j, -1) }
		got, top := 0.0, 0.0
		for i, p := range spanningTree(4, weight) {
			if p >= 0 {
				got += weight(max(i, p), min(i, p))
			}
		}
		for code := range 1 << 6 { // all sets of edges
			var edges [][2]int
			bit := 0
			for i := range 4 {
				for j := range i {
					if code>>bit&1 == 1 {
						edges = append(edges, [2]int{i, j})
					}
					bit++
				}
			}
			if len(edges) != 3 || !spans(edges) {
				continue
			}
			sum := 0.0
			for _, e := range edges {
				sum += weight(e[0], e[1])
			}
			top = max(top, sum)
		}
		if math.Abs(got-top) > 1e-12 {
			t.Errorf("seed %d: weight of the tree = %v, want the largest weight of all trees %v", seed, got, top)
		}
	}
}

// spans reports whether three edges connect all four nodes.
func spans(edges [][2]int) bool {
	group := []int{0, 1, 2, 3}
	for _, e := range edges {
		from, to := group[e[0]], group[e[1]]
		for i, g := range group {
			if g == from {
				group[i] = to
			}
		}
	}
	return group[0] == group[1] && group[1] == group[2] && group[2] == group[3]
}

// TestBayesNetLearned checks that the structures bic and chow-liu, which are learned from the data, give a valid model:
// each row has the same number of tables, and maximum likelihood predicts more than half of the classes.
func TestBayesNetLearned(t *testing.T) {
	d := network(t, 6, 300, 3)
	for _, structure := range []string{structureBIC, structureChowLiu} {
		task, err := BayesNet{Nodes: 7, Structure: structure, LossScale: 1, Eta: 1}.Build(d, d)
		if err != nil {
			t.Fatal(err)
		}
		counts := models.TruthCounts(task.Train, task.Dim())
		of := map[int]float64{} // of[0] is the sum of all counts, to which each row adds 1 per table
		for i := range distributions(task).Vectors() {
			for _, n := range counts[distributions(task).First[i]:distributions(task).First[i+1]] {
				of[0] += n
			}
		}
		if tables := of[0] / 300; tables != math.Trunc(tables) || tables < 1 {
			t.Errorf("%s: tables per row = %v, want a whole number of at least 1", structure, tables)
		}
		e := task.Evaluate(distributions(task).MaximumLikelihood(task.Train, 0.1), 1)["validation_error"]
		if !(e < 0.5) {
			t.Errorf("%s: error = %v, want below 0.5", structure, e)
		}
	}
}

// TestFamilyScoreAgainstCounts compares the scores of families with several parents, whose numbers of values differ,
// with a second implementation. A table that would be too large has the score −∞.
func TestFamilyScoreAgainstCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	sizes := []int{3, 2, 4, 5, 2}
	d := &datasets.Discrete{Class: 2}
	for v, n := range sizes {
		d.Variables = append(d.Variables, datasets.Variable{Name: fmt.Sprint(v), Values: make([]string, n)})
	}
	const rows = 70
	for range rows {
		for _, n := range sizes {
			d.Value = append(d.Value, uint8(rng.IntN(n)*rng.IntN(2)))
		}
	}
	for _, f := range []family{{0, nil}, {3, []int{0}}, {0, []int{1, 2}}, {2, []int{0, 3}}, {1, []int{2, 3, 4}},
		{3, []int{0, 1, 2, 4}}} {
		own, with := map[string]float64{}, map[string]float64{}
		cells := 1.
		for i := range rows {
			key := ""
			for _, p := range f.parents {
				key += fmt.Sprint(d.Row(i)[p], " ")
			}
			own[key]++
			with[key+fmt.Sprint("of ", d.Row(i)[f.variable])]++
		}
		for _, p := range f.parents {
			cells *= float64(sizes[p])
		}
		want := -math.Log(rows) / 2 * cells * float64(sizes[f.variable]-1)
		for key, n := range with {
			before, _, _ := strings.Cut(key, "of ")
			want += n * math.Log(n/own[before])
		}
		if got := familyScore(d, f.variable, f.parents); math.Abs(got-want) > 1e-9 {
			t.Errorf("family %+v: score = %v, want %v", f, got, want)
		}
	}
	for _, v := range []int{0, 1} {
		d.Variables[v].Values = make([]string, 1<<10)
	}
	if a, b := familyScore(d, 0, []int{1}), familyScore(d, 0, []int{1, 4}); math.IsInf(a, -1) || !math.IsInf(b, -1) {
		t.Errorf("scores of tables with 2²⁰ and 2²¹ cells = %v and %v, want a number and −∞", a, b)
	}
}

// TestClimbOfSome checks that the search uses only the class and the chosen variables, that its networks are acyclic
// with sorted parents, and that a variable has at most three parents even if it is a function of four others.
func TestClimbOfSome(t *testing.T) {
	d := network(t, 6, 400, 2)
	for _, chosen := range [][]int{{0, 2, 5}, {1}, {4, 3}} {
		parents := climb(d, chosen)
		some := 0
		c := &climber{d: d, parents: parents}
		for v, list := range parents {
			in := v == d.Class || slices.Contains(chosen, v)
			if !in && list != nil || !slices.IsSorted(list) || c.reaches(v, v) {
				t.Errorf("chosen %v: variable %d has the parents %v", chosen, v, list)
			}
			for _, p := range list {
				some++
				if p != d.Class && !slices.Contains(chosen, p) {
					t.Errorf("chosen %v: variable %d has the parent %d", chosen, v, p)
				}
			}
		}
		if some == 0 && len(chosen) == 3 {
			t.Errorf("chosen %v: no arcs", chosen)
		}
	}
	sum := &datasets.Discrete{Class: 0}
	for v := range 5 {
		values := 2
		if v == 4 {
			values = 5
		}
		sum.Variables = append(sum.Variables, datasets.Variable{Name: fmt.Sprint(v), Values: make([]string, values)})
	}
	for code := range 16 * 60 {
		a, b, c, e := uint8(code&1), uint8(code>>1&1), uint8(code>>2&1), uint8(code>>3&1)
		sum.Value = append(sum.Value, a, b, c, e, a+b+c+e)
	}
	most := 0
	for _, list := range climb(sum, []int{1, 2, 3, 4}) {
		most = max(most, len(list))
	}
	if most != 3 {
		t.Errorf("largest number of parents = %d, want 3", most)
	}
}
