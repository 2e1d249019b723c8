package qp

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
)

// randomAlpha sets the α of all columns to random feasible values. In a third of the blocks, the slack variable is 0;
// some α are 0.
func randomAlpha(rng *rand.Rand, b *Blocks) {
	for i := range b.blocks {
		alpha, sum := b.blocks[i].alpha, 0.0
		for p := range alpha {
			alpha[p] = max(0, rng.Float64()-0.3)
			sum += alpha[p]
		}
		if sum > 0 {
			share := b.capacity / sum
			if i%3 != 0 {
				share *= rng.Float64()
			}
			floats.Scale(share, alpha)
		}
	}
	b.sumW()
}

// TestDecompositionChoice compares the pairs of choose with a second implementation: the blocks whose gap exceeds the
// tolerance, sorted by decreasing violation, and not more than Pairs.
func TestDecompositionChoice(t *testing.T) {
	rng, slackUp, slackDown := rand.New(rand.NewPCG(28, 3)), 0, 0
	for trial := range 60 {
		b := randomBlocks(uint64(trial), 12, 5, 4, 0.5)
		for k := range b.loss {
			b.loss[k] -= float64(trial%3) / 2 // so that v is negative for some columns
		}
		randomAlpha(rng, b)
		s := &Decomposition{Pairs: trial % 5}
		s.load(b)
		tol := 0.2 * rng.Float64()
		var want []pair
		at := int32(0)
		for i := range b.blocks {
			own, x := &b.blocks[i], pair{span: len(want), up: -1, down: -1}
			high, low, held, free := 0.0, math.Inf(1), 0.0, b.capacity
			for p, k := range own.columns {
				a, v := own.alpha[p], b.loss[k]-b.dot(k, b.w)
				if v > high {
					x.up, high = at+int32(p), v
				}
				if a > 0 && v < low {
					x.down, low = at+int32(p), v
				}
				held, free = held+a*v, free-a
			}
			at += int32(len(own.columns))
			if free > 0 && low > 0 {
				x.down, low = -1, 0
			}
			x.violation = high - low
			if high-held/b.capacity > tol {
				want = append(want, x)
			}
		}
		slices.SortStableFunc(want, func(x, y pair) int { return cmp.Compare(y.violation, x.violation) })
		want = want[:min(len(want), max(1, s.Pairs))]
		if got := s.choose(b.capacity, tol); got != (len(want) > 0) || len(s.pairs) != len(want) {
			t.Fatalf("trial %d: choose = %v with %d pairs, want %d", trial, got, len(s.pairs), len(want))
		}
		for i, x := range want {
			got := s.pairs[i]
			if got.up != x.up || got.down != x.down || math.Abs(got.violation-x.violation) > 1e-12 {
				t.Errorf("trial %d: pair %d = %+v, want %+v", trial, i, got, x)
			}
			if got.up < 0 {
				slackUp++
			}
			if got.down < 0 {
				slackDown++
			}
		}
	}
	if slackUp == 0 || slackDown == 0 {
		t.Errorf("the slack variable grows in %d pairs and shrinks in %d, want some of each", slackUp, slackDown)
	}
}

// TestDecompositionStep checks that a step of several pairs keeps α feasible and v up to date, that ascend returns the
// increase of D, and that D is then almost maximal: no pair alone could increase it by more than a hundredth of that.
func TestDecompositionStep(t *testing.T) {
	rng, moved := rand.New(rand.NewPCG(28, 4)), 0
	for trial := range 60 {
		b := randomBlocks(uint64(100+trial), 12, 4, 3, []float64{0.05, 1, 20}[trial%3])
		randomAlpha(rng, b)
		s := &Decomposition{Pairs: 6}
		s.load(b)
		before := b.Value()
		if !s.choose(b.capacity, 1e-6) || !s.step(b) {
			t.Fatalf("trial %d: no step", trial)
		}
		var pairs []pair
		for _, q := range s.pairs {
			pairs = append(pairs, q)
			if q.t != 0 {
				moved++
			}
		}
		v := slices.Clone(s.v)
		gain := func() float64 { // computed again, for the same pairs, from t = 0
			for i := range s.pairs {
				s.pairs[i].t = 0
			}
			return s.ascend(b)
		}()
		s.store(b)
		if got := b.Value() - before; math.Abs(got-gain) > 1e-9*(1+math.Abs(before)) || gain <= 0 {
			t.Errorf("trial %d: D increases by %v, but ascend returns %v", trial, got, gain)
		}
		s.gradient(b)
		if !floats.EqualApprox(v, s.v, 1e-9) {
			t.Errorf("trial %d: v = %v after the step, want %v", trial, v, s.v)
		}
		for i := range b.blocks {
			sum := floats.Sum(b.Alpha(i))
			if len(b.Alpha(i)) > 0 && (floats.Min(b.Alpha(i)) < -1e-15 || sum > b.capacity*(1+1e-12)) {
				t.Errorf("trial %d: α = %v is not feasible for the capacity %v", trial, b.Alpha(i), b.capacity)
			}
		}
		column := func(p int32) []float64 {
			x := make([]float64, len(b.w))
			if p >= 0 {
				b.add(x, 1, s.order[p])
			}
			return x
		}
		value := func(p int32) float64 {
			if p < 0 {
				return 0
			}
			return s.v[s.order[p]]
		}
		for i, q := range pairs {
			x := column(q.up)
			floats.Sub(x, column(q.down))
			slope, curvature := value(q.up)-value(q.down), floats.Dot(x, x)
			more := min(max(slope/curvature, q.low-q.t), q.high-q.t)
			if left := more * (slope - more*curvature/2); left > 0.01*gain {
				t.Errorf("trial %d: pair %d could increase D by %v after a step that increased it by %v", trial, i, left, gain)
			}
		}
	}
	if moved < 100 {
		t.Errorf("%d pairs moved, want at least 100", moved)
	}
}

// TestSolverReuse checks that a solver that has already solved another problem takes the same steps as a new solver,
// and that Seed determines the order of visits of Coordinate.
func TestSolverReuse(t *testing.T) {
	end := func(s Solver, seed uint64) ([]float64, int) {
		b := randomBlocks(seed, 30, 5, 6, 0.1)
		steps := s.Solve(b, 1e-3)
		return b.w, steps
	}
	for name, fresh := range map[string]func() Solver{
		"coordinate":    func() Solver { return &Coordinate{Seed: 3} },
		"decomposition": func() Solver { return &Decomposition{Pairs: 3} },
	} {
		used := fresh()
		end(used, 1)
		got, gotSteps := end(used, 2)
		want, wantSteps := end(fresh(), 2)
		if !slices.Equal(got, want) || gotSteps != wantSteps {
			t.Errorf("%s: w = %v after %d steps of a used solver, want %v after %d", name, got, gotSteps, want, wantSteps)
		}
	}
	w3, _ := end(&Coordinate{Seed: 3}, 2)
	w4, _ := end(&Coordinate{Seed: 4}, 2)
	if slices.Equal(w3, w4) {
		t.Error("coordinate: two seeds give the same bits of w, want another order of visits")
	}
}

// TestMinimalStep checks that a step of Coordinate takes the α that gives the largest increase of D, and that the step
// increases D by as much as the best length does.
func TestMinimalStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 5))
	for trial := range 60 {
		b := randomBlocks(uint64(200+trial), 3, 8, 3, 0.7)
		randomAlpha(rng, b)
		own := &b.blocks[trial%3]
		if len(own.columns) == 0 {
			continue
		}
		c, free := &Coordinate{}, b.capacity
		for p, k := range own.columns {
			c.v = append(c.v, b.loss[k]-b.dot(k, b.w))
			free -= own.alpha[p]
		}
		free = max(free, 0)
		b.extendGram(own)
		a, _ := own.gap(c.v, b.capacity)
		most := 0.0
		for p := -1; p < len(own.columns); p++ { // −1 is the slack variable
			x, slope, bound := make([]float64, len(b.w)), 0.0, free
			if a >= 0 {
				b.add(x, 1, own.columns[a])
				slope += c.v[a]
			}
			if p >= 0 {
				b.add(x, -1, own.columns[p])
				slope, bound = slope-c.v[p], own.alpha[p]
			}
			if p == a || slope <= 0 {
				continue
			}
			step := min(bound, slope/floats.Dot(x, x))
			most = max(most, step*slope-step*step*floats.Dot(x, x)/2)
		}
		before, sum := b.Value(), free+floats.Sum(own.alpha)
		moved := c.step(b, own, a, &free)
		b.sumW()
		if got := b.Value() - before; moved != (most > 0) || math.Abs(got-most) > 1e-12 ||
			math.Abs(free+floats.Sum(own.alpha)-sum) > 1e-12 || free < 0 || floats.Min(own.alpha) < 0 {
			t.Errorf("trial %d: step = %v increases D by %v, want %v; α = %v and the slack variable is %v", trial, moved, got,
				most, own.alpha, free)
		}
		for p, k := range own.columns {
			if want := b.loss[k] - b.dot(k, b.w); math.Abs(c.v[p]-want) > 1e-12 {
				t.Errorf("trial %d: v_%d = %v after the step, want %v", trial, p, c.v[p], want)
			}
		}
	}
}

// TestResolutions checks the estimates of rounding errors by their formulas, with columns of which each has the largest
// value of something: of the norm, the loss, and α.
func TestResolutions(t *testing.T) {
	b := NewBlocks(2, 3, 10)
	b.Add(0, sparse(3, 4), -7)  // norm 5
	b.Add(2, sparse(6, 8), 2)   // norm 10
	b.Add(2, sparse(0, 1), 6.5) // norm 1
	b.blocks[0].alpha[0], b.blocks[2].alpha[0], b.blocks[2].alpha[1] = 0.5, 0.25, 4
	if got, want := b.Resolution(), 1e-15*(7+10*(0.5*5+0.25*10+4)); math.Abs(got-want) > 1e-9*want {
		t.Errorf("Blocks.Resolution = %v, want %v", got, want)
	}
	q := NewSimplex(10)
	q.Add([]float64{25}, -7)
	q.Add([]float64{50, 100}, 2)
	q.Add([]float64{4, 8, 1}, 6.5)
	copy(q.alpha, []float64{5.25, 0.5, 0.25, 4})
	if got, want := q.Resolution(), 0x1p-52*(7+10*(0.5*5+0.25*10+4)); math.Abs(got-want) > 1e-9*want {
		t.Errorf("Simplex.Resolution = %v, want %v", got, want)
	}
}

// TestRowCacheShrinks checks that the number of rows is the memory divided by the length of a row, and that follow
// keeps the rows that were used last.
func TestRowCacheShrinks(t *testing.T) {
	b := randomBlocks(1, 10, 6, 5, 1)
	var c rowCache
	c.follow(b, 8*b.Len()*5+7, 2)
	if c.most != 5 {
		t.Errorf("%d rows in the memory of 5, want 5", c.most)
	}
	for _, k := range []int32{4, 0, 1, 3, 2, 4, 0} {
		c.get(b, k)
	}
	c.follow(b, 8*b.Len()*3, 2)
	for k := range int32(6) {
		if kept, want := c.slot[k] >= 0, k == 0 || k == 2 || k == 4; kept != want {
			t.Errorf("row %d is cached: %v, want %v, since rows 2, 4 and 0 were used last", k, kept, want)
		}
	}
	for k := range int32(b.Len()) {
		for l, got := range c.get(b, k) {
			if want := direct(b, k, int32(l)); math.Abs(got-want) > 1e-12 {
				t.Fatalf("row %d, entry %d: %v, want %v", k, l, got, want)
			}
		}
	}
}

// TestExchangeChoice compares the two columns and the amount of an exchange with the formulas of entering and giving,
// computed from the columns, at random α.
func TestExchangeChoice(t *testing.T) {
	rng, bounded, zero := rand.New(rand.NewPCG(28, 6)), 0, 0
	for _, s := range randomSets(3, 12, 6)[:3] {
		for trial := range 40 {
			c := []float64{0.01, 1, 100}[trial%3]
			q := s.simplex(c)
			left := c
			for k := range q.d {
				if k > 0 && rng.IntN(3) > 0 {
					q.alpha[k] = left * rng.Float64() / 2
					left -= q.alpha[k]
				}
			}
			q.alpha[0] = left
			if trial%4 == 0 { // the zero constraint has α = 0
				q.alpha[1] += left
				q.alpha[0] = 0
			}
			q.refresh()
			zeroColumn := make([]float64, len(s.g[0]))
			g, d, w := append([][]float64{zeroColumn}, s.g...), append([]float64{0}, s.d...), slices.Clone(zeroColumn)
			for k, a := range q.alpha {
				floats.AddScaled(w, a, g[k])
			}
			mean, grad := 0.0, make([]float64, len(g))
			for k := range g {
				grad[k] = d[k] - floats.Dot(w, g[k])
				mean += q.alpha[k] * grad[k] / c
			}
			in, most, gap := -1, 0.0, 0.0
			for k := range g {
				up := grad[k] - mean
				gap = max(gap, up)
				if gain := up * up / (floats.Dot(g[k], g[k]) + up/c); up > 0 && gain > most {
					in, most = k, gain
				}
			}
			if got, none := q.entering(gap*0.999), q.entering(gap*1.001); got != in || none != -1 {
				t.Fatalf("%s, trial %d: entering = %d, and %d above the gap; want %d and −1", s.name, trial, got, none, in)
			}
			out, amount, most := -1, 0.0, 0.0
			for k, a := range q.alpha {
				x := slices.Clone(g[in])
				floats.Sub(x, g[k])
				slope, curvature := grad[in]-grad[k], floats.Dot(x, x)
				if a == 0 || slope <= 0 {
					continue
				}
				step := min(a, slope/curvature)
				if gain := step*slope - step*step*curvature/2; gain > most*(1+1e-9) {
					out, amount, most = k, step, gain
				}
			}
			if j, by := q.giving(in); j != out || math.Abs(by-amount) > 1e-6*amount {
				t.Fatalf("%s, trial %d: giving = %d and %v, want %d and %v", s.name, trial, j, by, out, amount)
			}
			if amount == q.alpha[out] {
				bounded++
			}
			if out == 0 {
				zero++
			}
			before, alpha := q.Value(), slices.Clone(q.alpha)
			steps := q.exchange(gap*0.999, 1)
			alpha[in], alpha[out] = alpha[in]+amount, alpha[out]-amount
			if gain := q.Value() - before; steps != 1 || math.Abs(gain-most) > 1e-6*most ||
				!floats.EqualApprox(alpha, q.alpha, 1e-6*c) {
				t.Fatalf("%s, trial %d: %d exchanges increase D by %v, want one and %v", s.name, trial, steps, gain, most)
			}
		}
	}
	if bounded == 0 || zero == 0 {
		t.Errorf("%d exchanges are limited by α, and %d take α from the zero constraint, want some of each", bounded, zero)
	}
}
