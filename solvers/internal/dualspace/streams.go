package dualspace

// Streams of random numbers for a run's seed (the second argument of rand.NewPCG). Each solver and purpose has a
// separate stream, so that no two solvers visit examples in the same order by accident. A new stream gets the number
// after the largest one. Never change a number in use, because the traces depend on it. Number 10 is not in use.
const (
	StreamEG     uint64 = 1 // EG: order of visits
	StreamEGRate uint64 = 2 // EG: sample of examples for the choice of the initial rate
	StreamSGD    uint64 = 3
	StreamBCFW   uint64 = 4
	StreamSMO    uint64 = 5
	StreamSDCA   uint64 = 6
	StreamDCD    uint64 = 7
	StreamSAGA   uint64 = 8
	StreamSVRG   uint64 = 9
	StreamRSD    uint64 = 11
)
