package dualspace

const (
	YieldsPerEpoch = 10 // number of yields of an online method in an epoch
	RefreshEpochs  = 10 // number of epochs after which w is recomputed from the dual variables, to remove rounding errors
)

// Cadence decides, by the number of visits, when an online method yields an iterate and when it recomputes w. An epoch
// has n visits. A yield is due at the end of each epoch, and about YieldsPerEpoch − 1 times during the epoch.
type Cadence struct{ N, Every int }

// NewCadence returns the cadence for n examples.
func NewCadence(n int) Cadence { return Cadence{N: n, Every: max(1, n/YieldsPerEpoch)} }

// Yields reports whether a yield is due after the given number of visits. A yield shortly before the end of an epoch is
// left out.
func (c Cadence) Yields(visits int) bool {
	at := visits % c.N
	return at == 0 || at%c.Every == 0 && c.N-at >= c.Every
}

// Next returns the number of visits at which the next yield is due, given the number so far.
func (c Cadence) Next(visits int) int {
	at := visits % c.N
	next := at - at%c.Every + c.Every
	if c.N-next < c.Every {
		next = c.N
	}
	return visits - at + next
}

// Refreshes reports whether w is to be recomputed after the given number of visits.
func (c Cadence) Refreshes(visits int) bool { return visits%(RefreshEpochs*c.N) == 0 }
