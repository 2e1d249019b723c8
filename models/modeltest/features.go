package modeltest

import (
	"slices"
	"testing"

	"github.com/gaplab/gaplab/models"
)

// checkAdjoint checks that Score is linear and that AddAdjoint is its transpose: ⟨A w, v⟩ = ⟨w, Aᵀv⟩ for the feature
// map A. If the weights are coefficients of kernel functions, the inner product of two weight vectors is the inner
// product of the functions that they define. Every second v has zeros in the middle, like the difference of two
// labellings that agree there.
func checkAdjoint(t testing.TB, x *subject) {
	if x.scored {
		return
	}
	zero := make([]float64, x.parts)
	if x.offset != nil {
		zero = x.offset
	}
	rng := x.rng(8)
	for round := range 6 {
		w, u, v := x.weights(rng), x.weights(rng), x.scores(rng, 1)
		if round%2 == 1 {
			clear(v[len(v)/5 : 4*len(v)/5])
		}
		beforeW, beforeV := slices.Clone(w), slices.Clone(v)
		aw := x.score(w)
		unchanged(t, x.name+": Score", w, beforeW)
		adjoint := make([]float64, x.task.Dim())
		x.Features.AddAdjoint(adjoint, 1, v)
		unchanged(t, x.name+": AddAdjoint", v, beforeV)
		left, right := dot(aw, v)-dot(zero, v), x.inner(w, adjoint)
		if !near(left, right, 1e-10) {
			t.Errorf("%s: ⟨A w, v⟩ is %v, but ⟨w, Aᵀv⟩ is %v", x.name, left, right)
		}
		if b, ok := x.Features.(models.Bilinear); ok {
			got := b.Product(v, w)
			unchanged(t, x.name+": Product", v, beforeV)
			if want := dot(aw, v); !near(got, want, 1e-10) {
				t.Errorf("%s: Product is %v, but ⟨A w, v⟩ is %v", x.name, got, want)
			}
		}

		// AddAdjoint with c must add c times the adjoint to its argument, and Score must be linear.
		sum := slices.Clone(u)
		x.Features.AddAdjoint(sum, -2.5, v)
		for j := range sum {
			if want := u[j] - 2.5*adjoint[j]; !near(sum[j], want, 1e-12) {
				t.Errorf("%s: after AddAdjoint with c = −2.5, w[%d] is %v: want %v", x.name, j, sum[j], want)
				break
			}
		}
		au, both := x.score(u), slices.Clone(u)
		for j := range both {
			both[j] += 3 * w[j]
		}
		for r, got := range x.score(both) {
			if want := au[r] + 3*(aw[r]-zero[r]); !near(got, want, 1e-10) {
				t.Errorf("%s: Score of u + 3w gives %v for part %d: want %v, as Score is linear", x.name, got, r, want)
				break
			}
		}
	}
}

// score computes A w, where A is the feature map, by a call of Score. The destination has other contents before, which
// Score must overwrite.
func (x *subject) score(w []float64) []float64 {
	theta := slices.Repeat([]float64{12345}, x.parts)
	x.Features.Score(theta, w)
	return theta
}

// adjoint returns Aᵀv as a dense vector, where A is the feature map.
func (x *subject) adjoint(v []float64) []float64 {
	w := make([]float64, x.task.Dim())
	x.Features.AddAdjoint(w, 1, v)
	return w
}

// inner returns the inner product ⟨u, v⟩ of two weight vectors. If the weights are coefficients of kernel functions
// with the Gram matrix K, this is uᵀK v.
func (x *subject) inner(u, v []float64) float64 {
	norm := weightsOf(x.task).Norm
	if norm == nil {
		return dot(u, v)
	}
	image := make([]float64, len(v))
	norm(image, v)
	return dot(u, image)
}

// checkGram checks that NormSq returns |Aᵀv|² for the feature map A, and that |Aᵀv|² is ScaleSq times |v|² if the
// components of v have the sum 0.
func checkGram(t testing.TB, x *subject) {
	g, norm := x.Features.(models.Gram)
	f, isotropic := x.Features.(models.Isotropic)
	if x.scored || !norm && !isotropic {
		return
	}
	rng := x.rng(9)
	for range 5 {
		v := x.scores(rng, 1)
		if norm {
			before, a := slices.Clone(v), x.adjoint(v)
			if got, want := g.NormSq(v), x.inner(a, a); !near(got, want, 1e-10) {
				t.Errorf("%s: NormSq is %v: want |Aᵀv|², which is %v", x.name, got, want)
			}
			unchanged(t, x.name+": NormSq", v, before)
		}
		if isotropic {
			mean := sum(v) / float64(len(v))
			for r := range v {
				v[r] -= mean
			}
			a := x.adjoint(v)
			if got, want := f.ScaleSq()*dot(v, v), x.inner(a, a); !near(got, want, 1e-10) {
				t.Errorf("%s: ScaleSq gives |Aᵀv|² = %v for a v with the sum 0: want %v", x.name, got, want)
			}
		}
	}
}

// checkRowMap checks that the row of a RowMap gives the same scores and the same adjoint as the map itself.
func checkRowMap(t testing.TB, x *subject) {
	f, ok := x.Features.(models.RowMap)
	if !ok || x.scored {
		return
	}
	row, half, ok := f.Row()
	if !ok {
		return
	}
	rng := x.rng(23)
	for range 5 {
		w, mu := x.weights(rng), x.scores(rng, 1)
		theta, added := make([]float64, x.parts), slices.Clone(w)
		if half == 0 {
			row.Score(theta, w)
			row.AddOuter(added, 0.7, mu)
		} else {
			theta[1] = half * row.Dot(w)
			theta[0] = -theta[1]
			row.AddTo(added, 0.7*half*(mu[1]-mu[0]))
		}
		wantTheta, wantAdded := make([]float64, x.parts), slices.Clone(w)
		f.Score(wantTheta, w)
		f.AddAdjoint(wantAdded, 0.7, mu)
		row.Fetch() // changes nothing
		for r, want := range append(wantTheta, wantAdded...) {
			if got := append(theta, added...)[r]; !near(got, want, 1e-10) {
				t.Errorf("%s: Row gives %v at index %d of the scores followed by the adjoint: want %v", x.name, got, r, want)
			}
		}
	}
}

// checkRadius checks that RadiusSq and Majorise bound |Aᵀ(1_truth − 1_y)|² for every labelling y, where A is the
// feature map and 1_y counts the parts of y.
func checkRadius(t testing.TB, x *subject) {
	bounded, bounds := x.Features.(models.Bounded)
	majorant, majorises := x.Features.(models.Majorant)
	if x.scored || !bounds && !majorises {
		return
	}
	const slack = 1e-9 // relative tolerance for rounding errors
	var theta []float64
	var constant float64
	if majorises {
		theta = slices.Repeat([]float64{12345}, x.parts)
		constant = majorant.Majorise(theta, x.Truth)
	}
	for _, y := range x.all[:min(len(x.all), 2000)] {
		v := indicator(x.Truth, x.parts)
		for _, r := range y {
			v[r]--
		}
		a := x.adjoint(v)
		norm := x.inner(a, a)
		if bounds {
			if got := bounded.RadiusSq(x.Truth); !(got >= norm*(1-slack)) {
				t.Errorf("%s: RadiusSq = %v, want at least |Aᵀ(1_truth − 1_y)|², which for y = %v is %v", x.name, got, y, norm)
				return
			}
		}
		if majorises {
			if got := constant + score(y, theta); !(got >= norm*(1-slack)-slack) {
				t.Errorf("%s: Majorise gives %v for y = %v, want at least |Aᵀ(1_truth − 1_y)|² = %v", x.name, got, y, norm)
				return
			}
		}
	}
}

// checkNorm checks that the matrix K of a norm other than the Euclidean norm is symmetric and positive semidefinite.
func checkNorm(t testing.TB, task *models.Task, seed uint64) {
	if weightsOf(task).Norm == nil {
		return
	}
	x := &subject{task: task, suite: suite{seed: seed}}
	rng := x.rng(13)
	for range 5 {
		u, v := x.weights(rng), x.weights(rng)
		before := slices.Clone(v)
		uv, vu, vv := x.inner(u, v), x.inner(v, u), x.inner(v, v)
		unchanged(t, "the norm", v, before)
		if !near(uv, vu, 1e-10) {
			t.Errorf("the norm's matrix is not symmetric: uᵀKv is %v, vᵀKu is %v", uv, vu)
		}
		if !(vv >= 0) {
			t.Errorf("the norm's matrix is not positive semidefinite: vᵀKv is %v", vv)
		}
	}
}

// checkSparse compares the methods of SparseMap with the dense methods.
func checkSparse(t testing.TB, x *subject) {
	s, ok := x.Features.(models.SparseMap)
	if !ok {
		return
	}
	rng := x.rng(10)
	dst := &models.Sparse{Index: []int32{-1, -1}, Value: []float64{-1, -1}} // to be overwritten
	const labellings = 10
	for trial := range 5 {
		v, w := x.scores(rng, 1), x.weights(rng)
		v[rng.IntN(len(v))] = 0
		if !x.scored {
			s.Adjoint(dst, v)
			x.sparse(t, dst, x.adjoint(v))
		}
		theta := x.score(w)
		for i := range min(len(x.all), labellings) {
			y := x.all[(trial*labellings+i)%len(x.all)]
			if got, want := s.Dot(w, y), score(y, theta); !near(got, want, 1e-10) {
				t.Errorf("%s: Dot of %v is %v: want %v, the sum of A w over its parts", x.name, y, got, want)
				break
			}
			if x.scored {
				continue
			}
			got, want := slices.Clone(w), slices.Clone(w)
			s.Add(got, -1.5, y)
			x.Features.AddAdjoint(want, -1.5, indicator(y, x.parts))
			if j := differ(got, want); j >= 0 {
				t.Errorf("%s: after Add of %v, w[%d] is %v: want %v, as after AddAdjoint", x.name, y, j, got[j], want[j])
				break
			}
		}
	}
}

// sparse checks that a sparse vector has increasing indices and no zeros, and equals a dense vector, the argument want.
func (x *subject) sparse(t testing.TB, got *models.Sparse, want []float64) {
	t.Helper()
	if len(got.Index) != len(got.Value) {
		t.Errorf("%s: Adjoint gives %d indices and %d values: want equal numbers", x.name, len(got.Index), len(got.Value))
		return
	}
	full := make([]float64, len(want))
	last := int32(-1)
	for i, j := range got.Index {
		if j <= last || int(j) >= len(want) {
			t.Errorf("%s: Adjoint gives index %d after %d: want increasing indices below %d", x.name, j, last, len(want))
			return
		}
		if got.Value[i] == 0 {
			t.Errorf("%s: Adjoint stores a zero at index %d", x.name, j)
		}
		full[j], last = got.Value[i], j
	}
	if j := differ(full, want); j >= 0 {
		t.Errorf("%s: Adjoint gives %v at index %d: want %v, as from AddAdjoint", x.name, full[j], j, want[j])
	}
}

// differ returns the first index at which two vectors differ by more than rounding errors, or −1 if there is none.
func differ(got, want []float64) int {
	for j := range got {
		if !near(got[j], want[j], 1e-10) {
			return j
		}
	}
	return -1
}

func dot(a, b []float64) float64 {
	var s float64
	for i, v := range a {
		s += v * b[i]
	}
	return s
}

func sum(v []float64) float64 {
	var s float64
	for _, x := range v {
		s += x
	}
	return s
}
