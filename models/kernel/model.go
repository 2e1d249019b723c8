// Package kernel implements models whose scores are linear combinations of kernel functions of the training inputs.
// Model classifies rows. Chain labels sequences. The weights are the coefficients, with the norm of the Gram matrix
// (models.Norm).
//
//	task, err := kernel.New().Build(train, validation)
package kernel

import (
	"fmt"
	"math"
)

// Model is multinomial classification with a kernel k on the inputs (paper cutting-plane, sec. 3.3). The joint kernel
// of inputs and classes is
//
//	K((x, y), (x', y')) = k(x, x')·[y = y'].
//
// The parts of an example are its classes, and the label loss is LossScale·[y ≠ y_i]. With the kernel x·x', this model
// is multiclass.Model. There are two forms:
//
//   - exact (Basis = 0), in exact.go: w has the coefficients β of θ_c(x) = Σ_j k(x, x_j) β_jc, a sum over the n
//     training examples. If the n² kernel values do not fit into Cache, a score takes n evaluations of k. With a
//     Bias, w also has one weight per class for a constant feature, and the dual has the kernel k + Bias².
//   - low rank (Basis = b > 0), in basis.go: w has the weights of b orthonormal functions. They span the same space
//     as the kernel functions of b random training pairs (OP8 and OP9). The problem is linear, and needs n·b
//     evaluations of k in total.
type Model struct {
	// linear: x·x'; rbf: exp(−gamma |x − x'|²); polynomial: (gamma x·x' + coef)^degree
	Kernel string `yaml:"kernel" jsonschema:"enum=linear,enum=rbf,enum=polynomial"`
	// gamma of the kernels rbf and polynomial; 0: 1 / number of features
	Gamma float64 `yaml:"gamma" jsonschema:"minimum=0"`
	// degree of the kernel polynomial
	Degree int `yaml:"degree" jsonschema:"minimum=1,maximum=32"`
	// constant coef in the kernel polynomial, (gamma x·x' + coef)^degree
	Coef float64 `yaml:"coef" jsonschema:"minimum=0"`
	// label loss of a wrong class
	LossScale float64 `yaml:"loss_scale" jsonschema:"exclusiveMinimum=0"`
	// for the exact kernel: value of an additional constant feature, with a weight per class that is regularised like the
	// others; 0: no constant feature
	Bias float64 `yaml:"bias" jsonschema:"minimum=0"`
	// number of training pairs that are drawn as a basis; 0: all training inputs with every class, which is the exact
	// kernel
	Basis int `yaml:"basis" jsonschema:"minimum=0"`
	// seed for drawing the basis
	BasisSeed uint64 `yaml:"basis_seed"`
	// for the exact kernel: megabytes for the kernel matrix; if it does not fit, kernel values are computed at each use
	Cache int `yaml:"cache" jsonschema:"minimum=0,maximum=1000000"`
}

const (
	mostDegree = 32
	mostCache  = 1_000_000
)

// New returns the model with its default settings.
func New() *Model {
	return &Model{Kernel: "rbf", Degree: 3, Coef: 1, LossScale: 1, BasisSeed: 1, Cache: 256}
}

func (m Model) check() error {
	finite := func(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
	switch {
	case m.Kernel != "linear" && m.Kernel != "rbf" && m.Kernel != "polynomial":
		return fmt.Errorf("kernel is %q; accepted: linear, rbf, polynomial", m.Kernel)
	case !(m.Gamma >= 0) || !finite(m.Gamma):
		return fmt.Errorf("gamma is %v: want a positive finite number, or 0 for 1 / number of features",
			m.Gamma)
	case m.Kernel == "polynomial" && (m.Degree < 1 || m.Degree > mostDegree):
		return fmt.Errorf("degree is %d: want 1 to %d", m.Degree, mostDegree)
	case !(m.Coef >= 0) || !finite(m.Coef):
		return fmt.Errorf("coef is %v: want 0 or a positive finite number, which makes the kernel positive "+
			"semidefinite", m.Coef)
	case !(m.LossScale > 0) || !finite(m.LossScale):
		return fmt.Errorf("loss_scale is %v: want a positive finite number", m.LossScale)
	case !(m.Bias >= 0) || !finite(m.Bias):
		return fmt.Errorf("bias is %v: want a positive finite number, or 0 for none", m.Bias)
	case m.Bias > 0 && m.Basis > 0:
		return fmt.Errorf("bias is %v and basis is %d: set one of them to 0, since only the exact kernel has a bias", m.Bias,
			m.Basis)
	case m.Basis < 0:
		return fmt.Errorf("basis is %d: want 0 for the exact kernel, or a number of training pairs", m.Basis)
	case m.Cache < 0 || m.Cache > mostCache:
		return fmt.Errorf("cache is %d: want 0 to %d megabytes", m.Cache, mostCache)
	}
	return nil
}
