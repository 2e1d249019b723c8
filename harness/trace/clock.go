package trace

import (
	"maps"
	"slices"
	"strings"
)

// Clock reports whether a column contains times, which differ between any two runs. The name of such a column contains
// the word seconds, as in seconds, oracle_seconds and oracle_cpu_seconds.
func Clock(column string) bool {
	return slices.Contains(strings.Split(column, "_"), Seconds)
}

// CPUClock reports whether a column contains CPU time: cpu_seconds, or a name that ends in _cpu_seconds.
func CPUClock(column string) bool {
	return column == CPUSeconds || strings.HasSuffix(column, "_"+CPUSeconds)
}

// WallClock returns the column of wall-clock time that belongs to a column of CPU time.
func WallClock(column string) string { return strings.TrimSuffix(column, CPUSeconds) + Seconds }

// OnWall returns the set itself, and wall = false, if all its curves with rows have CPU times. Otherwise some rows were
// written before CPU time was recorded, or on a system that cannot measure it. Then wall is true, and OnWall returns a
// copy of the set in which wall-clock time replaces CPU time in all curves. Figures and tables that use the copy must
// mark the times as wall-clock times.
func (s *Set) OnWall() (set *Set, wall bool) {
	if !slices.ContainsFunc(s.Curves, func(c *Curve) bool { return c.Len() > 0 && !c.Has(CPUSeconds) }) {
		return s, false
	}
	out := *s
	out.Curves = make([]*Curve, len(s.Curves))
	for i, c := range s.Curves {
		own := *c
		own.Columns = maps.Clone(c.Columns)
		maps.DeleteFunc(own.Columns, func(name string, _ []float64) bool { return CPUClock(name) })
		for name, values := range c.Columns {
			if Clock(name) && !CPUClock(name) {
				own.Columns[strings.TrimSuffix(name, Seconds)+CPUSeconds] = values
			}
		}
		out.Curves[i] = &own
	}
	return &out, true
}
