// Package nonlocal implements models that extend another model, the base, whose weights are known. They add an energy
// to the base. An energy is a function of all marginals of an example (Vilnis, Belanger, Sheldon and McCallum 2015,
// "Bethe projections for non-local inference", below called the paper).
//
// Model has the name nonlocal in specs. Its energies are linear measurements of label sequences, or distances from a
// vocabulary of known words. Its tasks learn the parameters ψ of the energies. With the setting base: trained, they
// also learn the weights of the base. The model Inference has a task without weights: the inference problems at the
// learned ψ, which solvers of inference solve. Energies adds any other energy to a base:
//
//	energies := nonlocal.Energies{Start: []float64{1}, Of: mine, By: energy.RDA{MaxCalls: 10}}
//	task, err := energies.Extend(base, w, train, validation)
//
// SoftConstraints adds soft constraints to a chain, and WordClassifier is a baseline. The package itself does not train
// models.
package nonlocal
