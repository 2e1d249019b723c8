package dualspace

const (
	YieldsPerEpoch = 10 // of an online method
	RefreshEpochs  = 10 // between recomputations of w from the dual variables, which shed the rounding of many updates
)

// Cadence schedules yields and recomputations of w by the number of visits, of which an epoch has n: a yield is due at
// the end of each epoch and about YieldsPerEpoch − 1 times before.
type Cadence struct{ N, Every int }

// NewCadence returns the cadence for n examples.
func NewCadence(n int) Cadence { return Cadence{N: n, Every: max(1, n/YieldsPerEpoch)} }

// Yields reports whether a yield is due. One that would come shortly before the end of an epoch is left out.
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

// Refreshes reports whether w is to be recomputed.
func (c Cadence) Refreshes(visits int) bool { return visits%(RefreshEpochs*c.N) == 0 }
