package figure

// theorems are the bounds that a panel may call by name. They hold in λ, so that it does not matter in which convention
// an experiment is written.
//
// cp-thm5 and cp-thm6 bound the iterations of 1-slack cutting planes with margin and with slack rescaling (Joachims,
// Finley and Yu 2009, theorems 5 and 6), with C = 1/λ, R² = max |ψ(x_i, y_i) − ψ(x_i, ȳ)|² and Δ the largest loss:
//
//	⌈log₂(Δ / (4R²C))⌉ + ⌈16 R²C / ε⌉           for ε ≤ 4R²C
//	⌈log₂(1 / (4R²ΔC))⌉ + ⌈16 R²Δ²C / ε⌉        for ε ≤ 4R²Δ²C
//
// The first term is negative where C is large; it then counts as zero. R² and Δ are the largest that the run has seen.
func theorems() map[string]string {
	return map[string]string{
		"cp-thm5": "max(0, ceil(log2(loss_seen * lambda / (4 * radius_sq_seen)))) + ceil(16 * radius_sq_seen / (lambda * " +
			"eps))",
		"cp-thm6": "max(0, ceil(log2(lambda / (4 * radius_sq_seen * loss_seen)))) + ceil(16 * radius_sq_seen * loss_seen " +
			"^ 2 / (lambda * eps))",
	}
}
