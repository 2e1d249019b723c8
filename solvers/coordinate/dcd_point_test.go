package coordinate

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/multiclass"
	"github.com/gaplab/gaplab/solvers"
	"github.com/gaplab/gaplab/solvers/internal/dualspace"
	"github.com/gaplab/gaplab/solvers/internal/testbed"
)

// isotropicOnly is a feature map without the methods of models.RowMap and models.SparseMap.
type isotropicOnly struct {
	models.FeatureMap
	models.Isotropic
}

// withoutRow returns a copy of p in which examples first, first+1, ... have no sparse methods.
func withoutRow(p *models.Risk, first int) *models.Risk {
	k := 0
	return p.Map(func(e *models.Example) {
		if k++; k > first {
			e.Features = isotropicOnly{e.Features, e.Features.(models.Isotropic)}
		}
	}).(*models.Risk)
}

// unusualCosts returns a copy of p in which each example has label losses of its own: also for the true class, below 0,
// for only some of the classes, or for none.
func unusualCosts(rng *rand.Rand, p *models.Risk) *models.Risk {
	k := 0
	return p.Map(func(e *models.Example) {
		e.Cost = testbed.Gaussian(rng, e.Features.Parts())[:k%(e.Features.Parts()+1)]
		k++
	}).(*models.Risk)
}

// TestDCDPoint checks that w and the dual of a dual point are those that its distributions define, after visits, after
// a change of λ, and after refresh has replaced wrong weights. The problems have unusual label losses, rows without
// features, and feature maps with only some of the optional methods.
func TestDCDPoint(t *testing.T) {
	rng := rand.New(rand.NewPCG(2811, 1))
	problems := dcdProblems(t, 13)
	for _, k := range []int{2, 4} {
		rows := testbed.OverlappingClasses(13, 5, k)
		clear(rows.X.Value[5*4 : 5*5]) // a row without features
		name := map[int]string{2: "two classes, an empty row", 4: "four classes, an empty row"}[k]
		problems[name] = testbed.TaskOf(t, multiclass.Model{LossScale: 1}, rows).Objective(models.Hinge(),
			0.02).(*models.Risk)
	}
	rows := testbed.OverlappingClasses(13, 5, 2)
	clear(rows.X.Value[5*4 : 5*5])
	problems["one vector, an empty row"] = testbed.TaskOf(t, multiclass.Binary{LossScale: 1}, rows).Objective(
		models.Hinge(), 0.02).(*models.Risk)
	for _, name := range slices.Sorted(maps.Keys(problems)) {
		p := problems[name]
		kinds := map[string]*models.Risk{"": p, ", unusual label losses": unusualCosts(rng, p),
			", no row": withoutRow(p, 0), ", the last example without a row": withoutRow(p, len(p.Examples)-1)}
		for _, kind := range slices.Sorted(maps.Keys(kinds)) {
			p := kinds[kind]
			for _, point := range []dcdPoint{newDCDSession(p, solvers.Env{Seed: 1}, true).point, newDCDClasses(p)} {
				if _, two := point.(*dcdPairs); two && kind[max(0, len(kind)-3):] == "row" {
					t.Fatalf("%s%s: dcdPairs, want dcdClasses for features without a row", name, kind)
				}
				lambda := p.Lambda
				for visit := range 120 {
					switch visit {
					case 30, 60:
						lambda = map[int]float64{30: 4, 60: 0.1}[visit] * p.Lambda
						point.scale(lambda)
					case 90:
						copy(point.weights(), testbed.Gaussian(rng, p.Dim))
						point.refresh()
					default:
						point.visit(rng.IntN(len(p.Examples)))
					}
					dual, w := dcdDefinition(point, p, lambda)
					if d := testbed.Distance(w, point.weights()); !(d <= 1e-11*(1+math.Sqrt(dualspace.Dot(w, w)))) {
						t.Fatalf("%s%s, visit %d of %T: the distance of w from w(α) = %v, want 0", name, kind, visit, point, d)
					}
					if d := point.dual(); !(math.Abs(d-dual) <= 1e-11*(1+math.Abs(dual)+lambda*dualspace.Dot(w, w))) {
						t.Fatalf("%s%s, visit %d of %T: dual = %v, want %v", name, kind, visit, point, d, dual)
					}
				}
			}
		}
	}
}

// dcdDefinition returns the dual D(α) and w(α) (see DCD) for the distributions of a point, by their definitions.
func dcdDefinition(point dcdPoint, p *models.Risk, lambda float64) (dual float64, w []float64) {
	n := float64(len(p.Examples))
	w = make([]float64, p.Dim)
	for i := range p.Examples {
		e, v := &p.Examples[i], distribution(point, p, i)
		for c, cost := range e.Cost {
			dual += p.Loss.Margin * cost * v[c] / n
		}
		for c := range v {
			v[c] = -v[c]
		}
		v[e.Truth[0]]++
		e.Features.AddAdjoint(w, 1/(lambda*n), v)
	}
	return dual - lambda/2*dualspace.Dot(w, w), w
}

// scripted is a dcdPoint for tests. Its visits return random violations and leads, and are recorded.
type scripted struct {
	dcdPoint
	rng     *rand.Rand
	visits  []int
	results [][2]float64
}

func (p *scripted) visit(i int) (violation, lead float64) {
	size := math.Exp(-float64(len(p.visits)) / 100) // violations become smaller
	switch p.rng.IntN(4) {
	case 0:
		violation = size * p.rng.Float64()
	case 1:
		lead = math.Inf(-1)
	default:
		lead = 0.2 * size * p.rng.Float64()
	}
	if len(p.visits) > 800 {
		violation = 0
	}
	p.visits, p.results = append(p.visits, i), append(p.results, [2]float64{violation, lead})
	return violation, lead
}

func (*scripted) fetch(int, int)     {}
func (*scripted) weights() []float64 { return nil }
func (*scripted) dual() float64      { return 0 }

// TestDCDSweeps compares the sweeps with a second implementation of the rules of shrinking in the comment of DCD: which
// examples each sweep visits, when a sweep over all examples follows, when the run ends, and the statistics active and
// violation after each visit.
func TestDCDSweeps(t *testing.T) {
	partial, resumed, orders := 0, 0, 0
	for seed := range uint64(20) {
		shrinking := seed%4 != 3
		n := 3 + int(seed)
		point := &scripted{rng: rand.New(rand.NewPCG(seed, 28))}
		o := &dcdSession{newDCDSweep(point, n, seed, shrinking), solvers.Env{}, 1}
		var all, before []int
		for i := range n {
			all = append(all, i)
		}
		in, last, whole := all, math.Inf(1), math.Inf(1) // in: the examples of the sweep; last: +Inf in a whole sweep
		for sweep := 0; !o.optimal && sweep < 3000; sweep++ {
			begin, left, worst := len(point.visits), 0, 0.0
			var stay []int
			for k := range in {
				checkSweepStats(t, o, float64(len(in)-left)/float64(n), last)
				o.next()
				i, result := point.visits[begin+k], point.results[begin+k]
				if worst = max(worst, result[0]); result[0] > 0 || result[1] <= 0.1*last {
					stay = append(stay, i)
				} else {
					left++
				}
			}
			visited := point.visits[begin:]
			if !slices.Equal(slices.Sorted(slices.Values(visited)), in) {
				t.Fatalf("seed %d, sweep %d: visits of %v, want each of %v once", seed, sweep, visited, in)
			}
			if len(visited) > 4 && !slices.Equal(visited, before) {
				orders++
			}
			before = visited
			slices.Sort(stay)
			optimal := false
			switch complete := math.IsInf(last, 1); {
			case !complete && (len(stay) == 0 || worst <= 0.1*whole):
				in, last = all, math.Inf(1)
				resumed++
			default:
				if complete {
					whole, optimal = worst, worst == 0
				}
				if in = stay; shrinking {
					last = worst
				}
			}
			if o.optimal != optimal {
				t.Fatalf("seed %d, sweep %d: optimal = %v, want %v", seed, sweep, o.optimal, optimal)
			}
			if len(in) < n {
				partial++
			}
		}
		if !o.optimal || o.visits != len(point.visits) {
			t.Errorf("seed %d: optimal = %v after %d visits, want true after %d", seed, o.optimal, o.visits, len(point.visits))
		}
	}
	if partial < 20 || resumed < 20 || orders < 20 {
		t.Errorf("%d sweeps left out examples, %d sweeps over all examples followed them, and %d sweeps had an order of "+
			"their own: want at least 20 of each", partial, resumed, orders)
	}
}

// checkSweepStats checks the statistics of an iterate: the share of the examples that have not left the sweep, and the
// largest violation of the last sweep, which is left out if it is infinite.
func checkSweepStats(t *testing.T, o *dcdSession, active, violation float64) {
	t.Helper()
	it := o.iterate()
	if got := testbed.Stat(it, "active"); got != active {
		t.Fatalf("visit %d: active = %v, want %v", o.visits, got, active)
	}
	if got := testbed.Stat(it, "violation"); got != violation && !(math.IsNaN(got) && math.IsInf(violation, 1)) {
		t.Fatalf("visit %d: violation = %v, want %v", o.visits, got, violation)
	}
}
