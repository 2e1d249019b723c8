// Package generated has the data sets that gaplab draws itself, from a seed: stand-ins for real data in runs without
// files, and data whose truth is known.
//
// The same settings and seed give the same data, to the bit, wherever they are drawn. Training and validation data each
// have a stream of random numbers, so neither depends on the length of the other, and the first n examples of a longer
// set are the set of n. None of it is to be passed off as the real set that it resembles.
package generated
