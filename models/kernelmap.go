package models

// KernelMap is an optional interface of a FeatureMap whose k parts are classes, scored by a kernel function of the
// training inputs: with the coefficients β_jc at w[j·k + c],
//
//	θ_c(x) = Σ_j k(x, x_j) β_jc + Bias·w[n·k + c],   |w|² = Σ_c β_cᵀ G β_c + Σ_c w[n·k + c]²,   G_ij = k(x_i, x_j),
//
// the last terms only where there is a bias. What is not a solver of this module, such as a program that reads files,
// learns from it what the problem is made of.
type KernelMap interface {
	FeatureMap
	// Input returns x, with a nil Index where it is dense, and the function.
	Input() (x Row, k Kernel)
}

// Kernel says what k(x, z) is: for the name linear x·z, for rbf exp(−Gamma |x − z|²), for polynomial
// (Gamma x·z + Coef)^Degree.
type Kernel struct {
	Name        string
	Gamma, Coef float64
	Degree      int
	Bias        float64 // value of the constant feature beside the functions; 0: there is none
}
