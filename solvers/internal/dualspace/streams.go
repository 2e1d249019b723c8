package dualspace

// Streams of random numbers under a run's seed (the second argument of rand.NewPCG): one for each solver and purpose,
// so that no two solvers visit examples in the same order by accident. A new solver takes the number after the
// largest. A number in use never changes, since the traces depend on it. Nothing draws from 10.
const (
	StreamEG     uint64 = 1 // visits
	StreamEGRate uint64 = 2 // the sample on which the first rate is chosen
	StreamSGD    uint64 = 3
	StreamBCFW   uint64 = 4
	StreamSMO    uint64 = 5
	StreamSDCA   uint64 = 6
	StreamDCD    uint64 = 7
	StreamSAGA   uint64 = 8
	StreamSVRG   uint64 = 9
	StreamRSD    uint64 = 11
)
