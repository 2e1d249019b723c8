package qp

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// randomBlocks returns columns similar to the working set of a multiclass problem. A column has x_i in the features of
// the example's class, and −x_i in the features of another class. Each example has such columns for some of the other
// classes. The losses of the columns differ slightly.
func randomBlocks(seed uint64, blocks, classes, features int, capacity float64) *Blocks {
	rng := rand.New(rand.NewPCG(seed, 7))
	b := NewBlocks(classes*features, blocks, capacity)
	for i := range blocks {
		x := make([]float64, features)
		for f := range x {
			x[f] = rng.NormFloat64() / math.Sqrt(float64(features))
		}
		y := rng.IntN(classes)
		x[y%features] += 0.5 // so that x contains information about the class y
		for k := range classes {
			if k != y && rng.IntN(3) > 0 {
				b.Add(i, difference(x, y, k), 1+0.1*rng.Float64())
			}
		}
	}
	return b
}

// difference returns the sparse column that has x in the features of class y and −x in the features of class k.
func difference(x []float64, y, k int) models.Sparse {
	var g models.Sparse
	put := func(class int, sign float64) {
		for f, v := range x {
			g.Index, g.Value = append(g.Index, int32(class*len(x)+f)), append(g.Value, sign*v)
		}
	}
	if y < k {
		put(y, 1)
		put(k, -1)
	} else {
		put(k, -1)
		put(y, 1)
	}
	return g
}

func sparse(values ...float64) models.Sparse {
	var g models.Sparse
	for f, v := range values {
		if v != 0 {
			g.Index, g.Value = append(g.Index, int32(f)), append(g.Value, v)
		}
	}
	return g
}

// checkOptimal checks that α is optimal up to tol, and checks Gap, Slack, NonZero and Value. It computes w, v and the
// gaps (see Blocks) from α and the columns, without the code under test.
func checkOptimal(t *testing.T, b *Blocks, tol float64) {
	t.Helper()
	checkW(t, b)
	w := explicitW(b)
	total, primal, worst, positive := 0.0, 0.0, 0.0, 0
	for i := range b.blocks {
		most, held, sum := 0.0, 0.0, 0.0
		for p, k := range b.blocks[i].columns {
			a, v := b.blocks[i].alpha[p], b.loss[k]
			for j := b.start[k]; j < b.start[k+1]; j++ {
				v -= w[b.index[j]] * b.value[j]
			}
			if a < 0 {
				t.Errorf("block %d: alpha = %v, want at least 0", i, a)
			}
			most, held, sum = max(most, v), held+a*v, sum+a
			if a != 0 {
				positive++
			}
		}
		if sum > b.capacity*(1+1e-12) {
			t.Errorf("block %d: Σ alpha = %v, want at most %v", i, sum, b.capacity)
		}
		if gap := most - held/b.capacity; gap > tol*(1+1e-6)+1e-12 {
			t.Errorf("block %d: gap = %v, want at most %v", i, gap, tol)
		}
		if math.Abs(most-b.Slack(i)) > 1e-9*(1+most) {
			t.Errorf("block %d: slack = %v, want %v", i, b.Slack(i), most)
		}
		total, primal = total+most-held/b.capacity, primal+b.capacity*most
		worst = max(worst, most-held/b.capacity)
	}
	if math.Abs(b.Gap()-worst) > 1e-9*(1+worst) || b.NonZero() != positive {
		t.Errorf("Gap() = %v and NonZero() = %d, want %v and %d", b.Gap(), b.NonZero(), worst, positive)
	}
	for _, x := range w {
		primal += x * x / 2
	}
	if got, want := primal-b.Value(), b.capacity*total; math.Abs(got-want) > 1e-9*(1+math.Abs(primal)) {
		t.Errorf("primal − dual = %v, want %v, the sum of the gaps", got, want)
	}
}

func explicitW(b *Blocks) []float64 {
	w := make([]float64, len(b.w))
	for i := range b.blocks {
		for p, k := range b.blocks[i].columns {
			for j := b.start[k]; j < b.start[k+1]; j++ {
				w[b.index[j]] += b.blocks[i].alpha[p] * b.value[j]
			}
		}
	}
	return w
}

func checkW(t *testing.T, b *Blocks) {
	t.Helper()
	norm := 1.0
	want := explicitW(b)
	for _, x := range want {
		norm = max(norm, math.Abs(x))
	}
	for f, x := range want {
		if math.Abs(b.W()[f]-x) > 1e-9*norm {
			t.Fatalf("w[%d] = %v, but Σ α g is %v", f, b.W()[f], x)
		}
	}
}

func TestEmptyBlocks(t *testing.T) {
	for name, s := range bothSolvers() {
		b := NewBlocks(3, 2, 1)
		if steps := s.Solve(b, 0); steps != 0 || b.Value() != 0 || b.Slack(1) != 0 || b.NonZero() != 0 || b.Age(1) != 0 {
			t.Errorf("%s: after %d steps on an empty working set, a value is not 0", name, steps)
		}
	}
}

func TestAddCopies(t *testing.T) {
	b := NewBlocks(3, 1, 1)
	g := sparse(0, 2, 1)
	b.Add(0, g, 1)
	g.Value[0], g.Index[0] = 7, 0
	if got := b.dot(0, []float64{1, 10, 100}); got != 120 {
		t.Errorf("g·x = %v, want 120", got)
	}
}

func TestBlocksMisuse(t *testing.T) {
	b := NewBlocks(3, 1, 1)
	for name, c := range map[string]struct {
		want string
		call func()
	}{
		"lengths": {"len(g.Index) != len(g.Value)", func() { b.Add(0, models.Sparse{Index: []int32{1}}, 1) }},
		"order": {"index 1 after 1",
			func() { b.Add(0, models.Sparse{Index: []int32{1, 1}, Value: []float64{1, 1}}, 1) }},
		"dimension": {"index 3 after -1: indices must increase and be below 3",
			func() { b.Add(0, models.Sparse{Index: []int32{3}, Value: []float64{1}}, 1) }},
		"capacity":      {"capacity is 0", func() { NewBlocks(1, 1, 0) }},
		"next capacity": {"capacity is NaN", func() { b.SetCapacity(math.NaN()) }},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.want) || !strings.HasPrefix(got, "qp: ") {
					t.Errorf("panic %q, want qp: ... %q", got, c.want)
				}
			}()
			c.call()
		})
	}
	if b.Len() != 0 {
		t.Errorf("Len() = %d after invalid calls of Add, want 0", b.Len())
	}
}

// TestAge checks that Age(3) removes a column after three consecutive calls of Age at which the column's α was 0, and
// that a call with α > 0 starts the count again.
func TestAge(t *testing.T) {
	b := NewBlocks(2, 2, 1)
	b.Add(0, sparse(1, 0), 1)
	b.Add(1, sparse(0, 1), 2)
	b.Add(0, sparse(2, 1), 3)
	b.Add(0, sparse(3, 5), 4)
	b.blocks[0].alpha[2] = 0.5
	b.sumW()
	w := explicitW(b)
	if n := b.Age(3) + b.Age(3); n != 0 {
		t.Fatalf("%d columns dropped after two calls of Age(3), want 0", n)
	}
	b.blocks[0].alpha[0] = 0.25
	b.Age(0) // counts as a call, but removes no column
	b.blocks[0].alpha[0] = 0
	if n := b.Age(3); n != 2 { // the columns (2, 1) of block 0 and (0, 1) of block 1
		t.Fatalf("%d columns dropped, want 2", n)
	}
	if got := b.Alpha(0); len(got) != 2 || got[0] != 0 || got[1] != 0.5 || len(b.Alpha(1)) != 0 || b.Len() != 2 ||
		b.NonZero() != 1 {
		t.Errorf("after Age: alpha = %v and %v, %d columns; want [0 0.5] and [], 2 columns", got, b.Alpha(1), b.Len())
	}
	if x := []float64{1, 10}; b.dot(0, x) != 1 || b.dot(1, x) != 53 || b.loss[1] != 4 || b.norm[1] != 34 ||
		len(b.index) != 3 {
		t.Errorf("the columns after Age are %v %v, want the columns that Age did not remove", b.index, b.value)
	}
	for f, x := range explicitW(b) {
		if x != w[f] {
			t.Errorf("Age changed w[%d] from %v to %v", f, w[f], x)
		}
	}
	b.Add(1, sparse(0, 4), 5)
	if b.dot(2, []float64{0, 1}) != 4 || len(b.Alpha(1)) != 1 {
		t.Error("a column added after Age has wrong entries")
	}
}

func TestAgeFreesMemory(t *testing.T) {
	b := randomBlocks(1, 50, 10, 20, 1)
	for i := range b.blocks {
		b.blocks[i].alpha[0] = 0.1
	}
	b.Age(1)
	if b.Len() != 50 || cap(b.value) > 3*len(b.value) || cap(b.index) > 3*len(b.index) {
		t.Errorf("%d columns with %d non-zeros use memory for %d: want at most 3 times the non-zeros", b.Len(), len(b.value),
			cap(b.value))
	}
}

func TestSetCapacity(t *testing.T) {
	b := randomBlocks(2, 30, 5, 8, 0.1)
	(&Coordinate{}).Solve(b, 1e-6)
	var before float64
	for _, a := range b.Alpha(7) {
		before += a
	}
	b.SetCapacity(0.4)
	for _, a := range b.Alpha(7) {
		before -= a / 4
	}
	if math.Abs(before) > 1e-15 {
		t.Errorf("after SetCapacity with 4 times the capacity, alpha differs from 4 times the old alpha by %v", before)
	}
	checkW(t, b)
}
