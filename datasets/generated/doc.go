// Package generated has the data sets that gaplab generates from a seed. Some of them replace real data sets in runs
// that should not need files. Others are drawn from a known model, with which the result of learning can be compared.
//
// The same settings and seed give the same data, to the bit, on every machine. Training and validation data are drawn
// from separate streams of random numbers, so neither depends on the length of the other. A smaller set consists of the
// first examples of a larger one. Generated data must never be presented as the real set that they resemble.
package generated
