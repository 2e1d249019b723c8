package trace

import (
	"maps"
	"slices"
	"strings"
)

// Clock says whether a column holds times, which no two runs share: seconds, or a name with that word, such as
// oracle_seconds and oracle_cpu_seconds.
func Clock(column string) bool {
	return slices.Contains(strings.Split(column, "_"), Seconds)
}

// CPUClock says whether a column holds CPU time: cpu_seconds, or a name that ends so.
func CPUClock(column string) bool {
	return column == CPUSeconds || strings.HasSuffix(column, "_"+CPUSeconds)
}

// WallClock is the column of the wall clock that belongs to one of CPU time.
func WallClock(column string) string { return strings.TrimSuffix(column, CPUSeconds) + Seconds }

// OnWall is the set, if all its curves with rows have CPU time. If one lacks it (its rows were made before they had it,
// or where there is no such clock), wall is true, and the columns of CPU time of all curves are those of the wall
// clock: for figures and tables, which show what there is and say so.
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
