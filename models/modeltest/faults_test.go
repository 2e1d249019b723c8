package modeltest_test

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/modeltest"
)

// fault is a defect that is added to the examples of a correct task. The field says is a text that the message of the
// suite about this defect must contain.
type fault struct {
	name   string
	says   string
	plant  func(*models.Example)
	sparse bool // use the multiclass task, whose features have the optional interfaces, instead of the toy task
	opts   []modeltest.Option
}

// These function types implement the oracle interfaces, for oracles with a defect.
type (
	maxFunc    func(dst models.Vertex, theta []float64) (models.Vertex, float64)
	expFunc    func(mu, theta []float64) float64
	slackFunc  func(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64)
	secondFunc func(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64)
)

func (f maxFunc) Max(dst models.Vertex, theta []float64) (models.Vertex, float64) {
	return f(dst, theta)
}
func (f expFunc) LogSum(mu, theta []float64) float64 { return f(mu, theta) }
func (f slackFunc) MaxSlack(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
	return f(dst, theta, cost, truth)
}
func (f secondFunc) Second(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
	return f(dst, theta, not)
}

// brokenMap is a feature map in which each function that is set replaces the correct method.
type brokenMap struct {
	features
	score   func(theta, w []float64)
	adjoint func(w []float64, c float64, mu []float64)
	normSq  func(v []float64) float64
	product func(v, w []float64) float64
	sparse  func(dst *models.Sparse, mu []float64)
	dot     func(w []float64, y models.Vertex) float64
	add     func(w []float64, c float64, y models.Vertex)
}

// features is the set of interfaces of the feature maps of package multiclass.
type features interface {
	models.SparseMap
	models.Gram
}

func (b brokenMap) Score(theta, w []float64) {
	if b.score != nil {
		b.score(theta, w)
		return
	}
	b.features.Score(theta, w)
}

func (b brokenMap) AddAdjoint(w []float64, c float64, mu []float64) {
	if b.adjoint != nil {
		b.adjoint(w, c, mu)
		return
	}
	b.features.AddAdjoint(w, c, mu)
}

func (b brokenMap) NormSq(v []float64) float64 {
	if b.normSq != nil {
		return b.normSq(v)
	}
	return b.features.NormSq(v)
}

func (b brokenMap) Product(v, w []float64) float64 {
	if b.product != nil {
		return b.product(v, w)
	}
	theta, sum := make([]float64, len(v)), 0.0
	b.features.Score(theta, w)
	for r, x := range theta {
		sum += x * v[r]
	}
	return sum
}

func (b brokenMap) Adjoint(dst *models.Sparse, mu []float64) {
	if b.sparse != nil {
		b.sparse(dst, mu)
		return
	}
	b.features.Adjoint(dst, mu)
}

func (b brokenMap) Dot(w []float64, y models.Vertex) float64 {
	if b.dot != nil {
		return b.dot(w, y)
	}
	return b.features.Dot(w, y)
}

func (b brokenMap) Add(w []float64, c float64, y models.Vertex) {
	if b.add != nil {
		b.add(w, c, y)
		return
	}
	b.features.Add(w, c, y)
}

func faults() []fault {
	return slices.Concat(exampleFaults(), maxFaults(), expFaults(), otherOracleFaults(), mapFaults())
}

func exampleFaults() []fault {
	return []fault{
		{name: "truth that is no labelling", says: "is not among the 8 labellings",
			plant: func(e *models.Example) { e.Truth = models.Vertex{0, 1} }},
		{name: "truth with a cost", says: "the cost of Truth is",
			plant: func(e *models.Example) { e.Cost = slices.Repeat([]float64{1}, toyParts) }},
		{name: "negative cost", says: "want a finite loss", plant: func(e *models.Example) {
			e.Cost = slices.Clone(e.Cost)
			e.Cost[1] = -5
		}},
		{name: "cost of too many parts", says: "len(Cost) is 11",
			plant: func(e *models.Example) { e.Cost = make([]float64, toyParts+1) }},
		{name: "two label losses", says: "both set", plant: func(e *models.Example) { e.ZeroOne = 1 }},
		{name: "no prediction", says: "Max is nil", plant: func(e *models.Example) { e.Max = nil }},
	}
}

// maxOf replaces the max-oracle of an example by f, which gets the correct oracle.
func maxOf(f func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64)) func(
	*models.Example) {
	return func(e *models.Example) {
		sound := e.Max
		e.Max = maxFunc(func(dst models.Vertex, theta []float64) (models.Vertex, float64) { return f(sound, dst, theta) })
	}
}

func maxFaults() []fault {
	lastOfTies := func(_ models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
		check(len(theta), toyParts)
		best, top := models.Vertex(nil), math.Inf(-1)
		for _, y := range toyLabellings() {
			if v := y.Dot(theta); v >= top {
				best, top = y, v
			}
		}
		return append(dst[:0], best...), top
	}
	return []fault{
		{name: "the last labelling of a tie", says: "of the labellings with the same score", plant: maxOf(lastOfTies)},
		{name: "different labellings of a tie in successive calls", says: "when called again",
			opts: []modeltest.Option{modeltest.AnyTies()},
			plant: func(e *models.Example) {
				var calls atomic.Int64
				maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
					if calls.Add(1)%2 == 0 {
						return sound.Max(dst, theta)
					}
					return lastOfTies(sound, dst, theta)
				})(e)
			}},
		{name: "a wrong value", says: "Max returned the value",
			plant: maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
				y, v := sound.Max(dst, theta)
				return y, v + 1e-6
			})},
		{name: "a labelling that is not the best", says: "the largest value is", plant: func(e *models.Example) {
			second := e.Second
			maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
				y, _ := sound.Max(nil, theta)
				return second.Second(dst, theta, y)
			})(e)
		}},
		{name: "parts out of order", says: "which is not a labelling",
			plant: maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
				y, v := sound.Max(dst, theta)
				slices.Reverse(y)
				return y, v
			})},
		{name: "old contents of dst", says: "with a longer dst",
			plant: maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
				y, v := sound.Max(nil, theta)
				if len(dst) > len(y) {
					copy(dst, y)
					return dst, v
				}
				return y, v
			})},
		{name: "scores overwritten", says: "Max changed its argument",
			plant: maxOf(func(sound models.MaxOracle, dst models.Vertex, theta []float64) (models.Vertex, float64) {
				y, v := sound.Max(dst, theta)
				theta[0]++
				return y, v
			})},
		{name: "an allocation", says: "Max allocates",
			plant: maxOf(func(sound models.MaxOracle, _ models.Vertex, theta []float64) (models.Vertex, float64) {
				return sound.Max(nil, theta)
			})},
	}
}

// expOf replaces the exp-oracle of an example by f, which gets the correct oracle.
func expOf(f func(sound models.ExpOracle, mu, theta []float64) float64) func(*models.Example) {
	return func(e *models.Example) {
		sound := e.Exp
		e.Exp = expFunc(func(mu, theta []float64) float64 { return f(sound, mu, theta) })
	}
}

func expFaults() []fault {
	after := func(change func(mu []float64)) func(*models.Example) {
		return expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
			v := sound.LogSum(mu, theta)
			if mu != nil {
				change(mu)
			}
			return v
		})
	}
	return []fault{
		{name: "a sign flipped in one marginal", says: "marginal of part 7 is -",
			plant: after(func(mu []float64) { mu[7] = -mu[7] })},
		{name: "two marginals exchanged", says: "by enumeration",
			plant: after(func(mu []float64) { mu[0], mu[1] = mu[1], mu[0] })},
		{name: "a repeated part counted once", says: "the slope of LogSum",
			plant: after(func(mu []float64) { mu[9] = math.Min(mu[9], 1) })},
		{name: "a slope that is a little off", says: "the slope of LogSum",
			plant: after(func(mu []float64) { mu[2] *= 1 + 1e-5 })},
		{name: "a wrong value", says: "LogSum is", plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
			return sound.LogSum(mu, theta) + 1e-7
		})},
		{name: "another value without marginals", says: "without marginals, but",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				v := sound.LogSum(mu, theta)
				if mu == nil {
					v *= 1 + 1e-9
				}
				return v
			})},
		{name: "not in place", says: "in place", plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
			clear(mu)
			return sound.LogSum(mu, theta)
		})},
		{name: "overflow", says: "with scores of 1e6",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				v := sound.LogSum(mu, theta)
				if mu == nil || math.Abs(v) < 1e5 {
					return v
				}
				return math.Log(math.Exp(v))
			})},
		{name: "scores overwritten", says: "LogSum changed its argument",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				v := sound.LogSum(mu, theta)
				theta[1] = 0
				return v
			})},
		{name: "no check of lengths", says: "did not panic",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				if len(mu) != len(theta) {
					mu = nil
				}
				return sound.LogSum(mu, theta)
			})},
		{name: "an index out of range", says: "want a message that begins with the package's name",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				for r := range mu {
					_ = theta[r]
				}
				_ = theta[toyParts-1]
				return sound.LogSum(mu, theta)
			})},
		{name: "an allocation", says: "LogSum allocates",
			plant: expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				return sound.LogSum(mu, slices.Clone(theta))
			})},
		{name: "scratch that goroutines overwrite", says: "several goroutines at once", plant: func(e *models.Example) {
			var inside atomic.Int64
			expOf(func(sound models.ExpOracle, mu, theta []float64) float64 {
				defer inside.Add(-1)
				if inside.Add(1) > 1 {
					return 0
				}
				runtime.Gosched()
				return sound.LogSum(mu, theta)
			})(e)
		}},
	}
}

func otherOracleFaults() []fault {
	return []fault{
		{name: "slack without the cost", says: "MaxSlack returned", plant: func(e *models.Example) {
			sound := e.Max
			e.Slack = slackFunc(func(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
				check(len(cost), toyParts)
				y, v := sound.Max(dst, theta)
				return y, 1 + v - truth.Dot(theta)
			})
		}},
		{name: "slack of the labelling with the best score", says: "MaxSlack returned", plant: func(e *models.Example) {
			sound := e.Max
			e.Slack = slackFunc(func(dst models.Vertex, theta, cost []float64, truth models.Vertex) (models.Vertex, float64) {
				check(len(cost), toyParts)
				y, v := sound.Max(dst, theta)
				return y, y.Dot(cost) * (1 + v - truth.Dot(theta))
			})
		}},
		{name: "the excluded labelling", says: "Second returned the excluded labelling", plant: func(e *models.Example) {
			sound := e.Max
			e.Second = secondFunc(func(dst models.Vertex, theta []float64, _ models.Vertex) (models.Vertex, float64) {
				return sound.Max(dst, theta)
			})
		}},
		{name: "not the second-best labelling", says: "Second returned", plant: func(e *models.Example) {
			sound := e.Second
			e.Second = secondFunc(func(dst models.Vertex, theta []float64, not models.Vertex) (models.Vertex, float64) {
				for _, y := range toyLabellings() {
					if !y.Equal(not) {
						return append(dst[:0], y...), y.Dot(theta)
					}
				}
				return sound.Second(dst, theta, not)
			})
		}},
	}
}

func mapFaults() []fault {
	broken := func(f func(sound features) brokenMap) func(*models.Example) {
		return func(e *models.Example) {
			sound := e.Features.(features)
			b := f(sound)
			b.features = sound
			e.Features = b
		}
	}
	return []fault{
		{name: "adjoint scaled", says: "⟨A w, v⟩ is", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{adjoint: func(w []float64, c float64, mu []float64) { sound.AddAdjoint(w, 1.001*c, mu) }}
		})},
		{name: "adjoint without its factor", says: "AddAdjoint with c = −2.5", sparse: true,
			plant: broken(func(sound features) brokenMap {
				return brokenMap{adjoint: func(w []float64, _ float64, mu []float64) { sound.AddAdjoint(w, 1, mu) }}
			})},
		{name: "adjoint that overwrites", says: "AddAdjoint with c = −2.5", sparse: true,
			plant: broken(func(sound features) brokenMap {
				return brokenMap{adjoint: func(w []float64, c float64, mu []float64) { clear(w); sound.AddAdjoint(w, c, mu) }}
			})},
		{name: "a bias in the score", says: "as Score is linear", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{score: func(theta, w []float64) { sound.Score(theta, w); theta[0]++ }}
		})},
		{name: "old score added", says: "⟨A w, v⟩ is", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{score: func(theta, w []float64) { old := theta[0]; sound.Score(theta, w); theta[0] += old }}
		})},
		{name: "no check of lengths", says: "did not panic", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{score: func(theta, w []float64) { sound.Score(theta[:min(3, len(theta)):3], w) }}
		})},
		{name: "norm without the square", says: "NormSq is", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{normSq: func(v []float64) float64 { return math.Sqrt(sound.NormSq(v)) }}
		})},
		{name: "product of another vector", says: "Product is", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{product: func(v, w []float64) float64 { return v[0] * w[0] }}
		})},
		{name: "sparse adjoint out of order", says: "want increasing indices", sparse: true,
			plant: broken(func(sound features) brokenMap {
				return brokenMap{sparse: func(dst *models.Sparse, mu []float64) {
					sound.Adjoint(dst, mu)
					slices.Reverse(dst.Index)
					slices.Reverse(dst.Value)
				}}
			})},
		{name: "sparse adjoint with zeros", says: "stores a zero", sparse: true,
			plant: broken(func(sound features) brokenMap {
				return brokenMap{sparse: func(dst *models.Sparse, mu []float64) {
					w := make([]float64, 9)
					sound.AddAdjoint(w, 1, mu)
					dst.Index, dst.Value = dst.Index[:0], w
					for j := range w {
						dst.Index = append(dst.Index, int32(j))
					}
				}}
			})},
		{name: "sparse adjoint appended to the old contents", says: "Adjoint gives", sparse: true,
			plant: broken(func(sound features) brokenMap {
				return brokenMap{sparse: func(dst *models.Sparse, mu []float64) {
					more := &models.Sparse{}
					sound.Adjoint(more, mu)
					dst.Index, dst.Value = append(dst.Index, more.Index...), append(dst.Value, more.Value...)
				}}
			})},
		{name: "dot of another labelling", says: "Dot of", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{dot: func(w []float64,
				y models.Vertex) float64 {
				return sound.Dot(w, models.Vertex{(y[0] + 1) % 3})
			}}
		})},
		{name: "addition of the negative", says: "Add of", sparse: true, plant: broken(func(sound features) brokenMap {
			return brokenMap{add: func(w []float64, c float64, y models.Vertex) { sound.Add(w, -c, y) }}
		})},
	}
}
