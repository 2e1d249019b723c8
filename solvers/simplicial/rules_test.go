package simplicial

import "testing"

// TestRSDCentreDecay checks that each centre change by rule (ii) of rsdCentre multiplies δ_m by decay, but not below
// the size of rounding errors.
func TestRSDCentreDecay(t *testing.T) {
	c := rsdCentre{lc: 2, delta: 1, tolerance: 1, decay: 0.5, least: 0.2, value: 10}
	for _, step := range []struct {
		value, g, inLambda float64
		moves              bool
		tolerance          float64 // the tolerance δ_m of rule (ii) after the step
	}{
		{9, 5, 5, true, 1},        // rule (i): P decreases by δ̄
		{8.5, 5, 5, false, 1},     // neither rule: P decreases by less than δ̄
		{8.5, 0.5, 0.3, false, 1}, // neither rule: Lc · 0.3 + 0.5 > 1
		{8.5, 0.5, 0.25, true, 0.5},
		{8.5, 0.6, 0, false, 0.5},
		{8.5, 0.5, 0, true, 0.25},
		{8.5, 0, 0, true, 0.2},
		{8.5, 0.1, 0, true, 0.2},
	} {
		if got := c.moves(step.value, step.g, step.inLambda); got != step.moves || c.tolerance != step.tolerance {
			t.Errorf("%+v: moves = %v and δ_m = %v, want the values of the case", step, got, c.tolerance)
		}
	}
	if c.descents != 1 || c.optima != 4 || c.changes() != 5 || c.value != 8.5 {
		t.Errorf("%+v: want 1 change by rule (i) and 4 changes by rule (ii)", c)
	}
}

// TestRSDTurns checks that a visit to a subset of examples has as many rounds as the setting inner, or fewer if the
// ascent is below the subset's share of δ_m (see rsdCentre). Then the next subset must follow.
func TestRSDTurns(t *testing.T) {
	r := New()
	r.WorkingSets, r.Sets, r.Inner = rsdCoordinate, 3, 2
	s := newRSDSets(r, 7, 4, 1)
	for round, want := range []struct {
		lo, hi        int
		ascent        float64
		fresh, sweeps bool
	}{
		{0, 2, 5, true, false}, {0, 2, 5, false, false},
		{2, 4, 5, true, false}, {2, 4, 5, false, false},
		{4, 7, 5, true, false}, {4, 7, 5, false, true},
		{0, 2, 0.9, true, false}, // the ascent 0.9 is below 1, the share of one of 3 subsets in δ_m = 3
		{2, 4, 1.1, true, false}, {2, 4, 1.1, false, false},
		{4, 7, 0.9, true, true},
	} {
		lo, hi := s.next()
		fresh := s.fresh()
		s.done(want.ascent, 3)
		if lo != want.lo || hi != want.hi || fresh != want.fresh || s.swept() != want.sweeps {
			t.Errorf("round %d: examples %d to %d, first round of the visit: %v, all subsets visited: %v; want %+v",
				round, lo, hi, fresh, s.swept(), want)
		}
	}
}
