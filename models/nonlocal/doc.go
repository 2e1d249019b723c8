// Package nonlocal has the models on top of another one: energies of all marginals of an example together,
// added to a base model whose weights are known (Vilnis, Belanger, Sheldon and McCallum 2015, "Bethe projections for
// non-local inference").
//
// Model is called nonlocal in specs: linear measurements of label sequences, or a vocabulary of known words.
// Its tasks learn the parameters ψ of the energies, and with base: trained the base's weights as well. Inference is a
// task without weights: the objectives of inference at learned ψ, for solvers of inference. Energies puts any other
// energy on a base:
//
//	energies := nonlocal.Energies{Start: []float64{1}, Of: mine, By: energy.RDA{MaxCalls: 10}}
//	task, err := energies.Extend(base, w, train, validation)
//
// The package never trains.
package nonlocal
