package kernel

import (
	"fmt"
	"math"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/sequence"
)

// Chain labels sequences as chain.Model does, but with a kernel k on the rows of the positions instead of their
// features. The joint kernel of two positions with labels is k(x, x')·[y = y']. With the N positions of all training
// sequences,
//
//	θ·1_y = Σ_t f_{y_t}(x_t) + Σ_{t > 0} w_{y_{t−1} y_t},   f_c(x) = Σ_j k(x, x_j) β_jc,
//
// and the squared norm is Σ_c β_cᵀ G β_c + |transitions|², where G_ij = k(x_i, x_j). w has the coefficients w[j·k + c]
// = β_jc, then the k² weights of transitions, which have no kernel. Parts, label loss and metrics are the same as for
// chain.Model. With the kernel x·x', this model is chain.Model.
//
// This is the setting of the kernelised excessive-gap method (Zhang, Saha and Vishwanathan 2011, sec. 4.3). By theorem
// 9 of that paper, the weights of iterate k are w_k = 1/λ F[ψ; β_k], where F is the expectation of the feature
// differences ψ under a distribution β_k over labellings. Here the transpose A_iᵀμ of a training sequence adds μ to the
// coefficients of the positions of this sequence, so that
//
//	w = 1/(λn) Σ_i A_iᵀ(1_{y_i} − μ_i)   has   β_jc = ([y_j = c] − μ_j(c)) / (λn).
//
// So, apart from the truth and a factor, the coefficients are the label marginals of the distribution β_k. Every solver
// that uses Risk.Norm works with a kernel.
//
// G takes N(N+1)/2 evaluations of k and 8 N² bytes. Scoring all training sequences costs N² k multiplications, and so
// does |w|²: positions share weights, so all pairs of positions count. (The cost n² l s² in the paper is for cliques
// that each have their own weights.) If G does not fit into Cache, k is evaluated at each use.
type Chain struct {
	// linear: x·x'; rbf: exp(−gamma |x − x'|²); polynomial: (gamma x·x' + coef)^degree
	Kernel string `yaml:"kernel" jsonschema:"enum=linear,enum=rbf,enum=polynomial"`
	// gamma of the kernels rbf and polynomial; 0: 1 / number of features
	Gamma float64 `yaml:"gamma" jsonschema:"minimum=0"`
	// degree of the kernel polynomial
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=32"`
	// constant coef in the kernel polynomial, (gamma x·x' + coef)^degree
	Coef float64 `yaml:"coef" jsonschema:"minimum=0"`
	// tied: one score per pair of labels for the whole sequence; untied: one per pair of labels at each position, which
	// costs memory and time, for methods that need the marginals of neighbours at each position
	Edges string `yaml:"edges" jsonschema:"enum=tied,enum=untied" settings:"optional"`
	// how labels are predicted; viterbi: the labelling with the largest score; marginal: at each position the label with
	// the largest marginal; risk: the labelling with the smallest expected label loss, here the same as marginal. marginal
	// and risk need the loss log
	Decode string `yaml:"decode" jsonschema:"enum=viterbi,enum=marginal,enum=risk" settings:"optional"`
	// megabytes for the kernel matrix of the training positions; if it does not fit, kernel values are computed at each
	// use
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000000"`
}

// NewChain returns the model with its default settings.
func NewChain() *Chain {
	return &Chain{Kernel: "rbf", Degree: 3, Coef: 1, Edges: sequence.Tied, Decode: sequence.Viterbi,
		Cache: 256}
}

// Build implements models.Builder for labelled sequences. It computes the kernel matrix of the training positions, and
// the kernel values of the validation positions, if they fit into Cache. The validation data may be nil.
func (m Chain) Build(train, validation datasets.Data) (*models.Task, error) {
	kernel := m.kernel()
	if err := kernel.check(); err != nil {
		return nil, fmt.Errorf("model chain-kernel: %w", err)
	}
	if m.Edges != "" && m.Edges != sequence.Tied && m.Edges != sequence.Untied {
		return nil, fmt.Errorf("model chain-kernel: edges is %q; accepted: tied, untied", m.Edges)
	}
	d, held, err := sequence.Rows("chain-kernel", "features", 2, train, validation)
	if err != nil {
		return nil, err
	}
	n, k := d.X.N, len(d.Labels)
	dim := n*k + k*k
	if dim > math.MaxInt32 {
		return nil, fmt.Errorf("model chain-kernel: %d positions and %d labels give %d coefficients: want at most %d; use "+
			"fewer sequences", n, k, dim, math.MaxInt32)
	}
	function, err := kernel.kernelOf(&d.X)
	if err != nil {
		return nil, fmt.Errorf("model chain-kernel: %w", err)
	}
	shape, err := m.shape(n, k)
	if err != nil {
		return nil, fmt.Errorf("model chain-kernel: %w", err)
	}
	b := newChainBasis(shape, function)
	t := &models.Task{Model: "chain-kernel", Unknowns: models.Weights{Dim: dim, Norm: b.multiply},
		Posterior:  shape.Decoding != nil,
		Metrics:    sequence.Metrics(d.Labels),
		Facts:      map[string]float64{"positions": float64(n)},
		Vocabulary: keep(&datasets.Labelled{X: d.X, Classes: d.Labels}, b.positions.every, nil)}
	room := m.Cache << 20 / 8
	if room/n >= n {
		room -= n * n
		b.positions.fill()
		t.Facts["kernel_evaluations"] = float64(function.KernelEvaluations())
	}
	t.Train = b.examples(d, true, b.positions.matrix)
	if held == nil {
		return t, nil
	}
	var values []float64
	if b.positions.matrix != nil && room/n >= held.X.N {
		values = function.values(&held.X, b.positions.every)
	}
	t.Validation = b.examples(held, false, values)
	return t, nil
}

// kernel returns a Model with the same kernel.
func (m Chain) kernel() Model {
	return Model{Kernel: m.Kernel, Gamma: m.Gamma, Degree: m.Degree, Coef: m.Coef, LossScale: 1, Cache: m.Cache}
}

// Restore implements models.Restorer.
func (m Chain) Restore(text []byte) (models.Decoder, error) {
	v, rows, function, err := m.kernel().read(text)
	if err != nil {
		return nil, err
	}
	shape, err := m.shape(rows.X.N, len(v.Classes))
	if err != nil {
		return nil, err
	}
	b := newChainBasis(shape, function)
	return &sequence.Decoder{Vocabulary: sequence.Vocabulary{Features: v.Features, Labels: v.Classes},
		Weights: b.shape.Dim, Of: func(s *datasets.Sequences) (models.Example, error) {
			f := &chainFeatures{chainBasis: b, rows: &s.X, basis: b.shape.NewFeatures(s.X.N, nil)}
			return models.Example{Features: f, Max: b.shape.Oracle, Exp: b.shape.Oracle, Decoding: b.shape.Decoding}, nil
		}}, nil
}

// shape returns the shape for n training positions and k labels.
func (m Chain) shape(n, k int) (*sequence.Shape, error) {
	s := &sequence.Shape{K: k, Features: n, Dim: n*k + k*k, Oracle: sequence.NewOracle(k, m.Edges == sequence.Untied)}
	var err error
	s.Decoding, err = s.Oracle.Decoding(m.Decode, nil)
	return s, err
}

// examples returns the examples of sequences. values has the kernel values of all their positions with the training
// positions, or is nil.
func (b *chainBasis) examples(d *datasets.Sequences, training bool, values []float64) []models.Example {
	examples, n := make([]models.Example, d.Len()), b.shape.Features
	var list []sequence.Incidence
	for i := range examples {
		lo, hi := d.Start[i], d.Start[i+1]
		f := &chainFeatures{chainBasis: b, training: training, rows: &d.X, from: lo}
		list = list[:0]
		if training {
			for t := range hi - lo {
				list = append(list, sequence.Incidence{Feature: int32(lo + t), Position: int32(t), Value: 1})
			}
		}
		f.basis = b.shape.NewFeatures(hi-lo, list)
		if values != nil {
			f.values = values[lo*n : hi*n]
		}
		examples[i] = b.shape.Example(f, d.Y[lo:hi])
	}
	return examples
}
