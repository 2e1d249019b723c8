package solvers

const (
	yieldsPerEpoch = 10 // of an online method
	refreshEpochs  = 10 // between recomputations of w from the dual variables, which shed the rounding of many updates
)

// cadence says what falls due after so many visits, an epoch being n of them: a yield at the end of each epoch and
// about yieldsPerEpoch − 1 times before, and now and then a recomputation of w.
type cadence struct{ n, every int }

func newCadence(n int) cadence { return cadence{n: n, every: max(1, n/yieldsPerEpoch)} }

// yields leaves out what would come shortly before the end of an epoch.
func (c cadence) yields(visits int) bool {
	at := visits % c.n
	return at == 0 || at%c.every == 0 && c.n-at >= c.every
}

func (c cadence) refreshes(visits int) bool { return visits%(refreshEpochs*c.n) == 0 }
