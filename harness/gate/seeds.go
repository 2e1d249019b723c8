package gate

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gaplab/gaplab/harness/trace"
)

// Constants for comparing distributions over seeds.
const (
	leastSeeds = 5    // smallest number of seeds in the reference, and in the new runs
	level      = 0.01 // significance level: the largest rate of false alarms
	draws      = 9999 // number of random permutations
)

// OverSeeds returns a comparison for randomised solvers whose random numbers may have changed since the references were
// made. It first compares curves seed by seed with the function paired. If one of these curves differs, and both sides
// (references and new runs) have at least 5 seeds, it compares curves that differ only in their seed as a group. For a
// group, it compares the distributions of the work (passes) to reach one gap, which the function target chooses. The
// group differs if two conditions hold: the medians are more than 5 % apart, and a permutation test on ranks rejects,
// at the level of 1 %, that both sides have the same distribution. The test is valid for any distribution.
func OverSeeds(paired func(experiment string, reference, fresh []*trace.File) []Comparison) func(experiment string,
	reference, fresh []*trace.File) []Comparison {
	return func(experiment string, reference, fresh []*trace.File) []Comparison {
		groups := map[string][]Comparison{}
		var order []string
		for _, c := range paired(experiment, reference, fresh) {
			key := group(cmp.Or(c.Reference, c.Fresh))
			if groups[key] == nil {
				order = append(order, key)
			}
			groups[key] = append(groups[key], c)
		}
		var out []Comparison
		for _, key := range order {
			g := groups[key]
			if one, ok := distributions(g); ok && slices.ContainsFunc(g, func(c Comparison) bool { return !c.OK }) {
				g = []Comparison{one}
			}
			out = append(out, g...)
		}
		return out
	}
}

// group returns the name of a curve without its seed.
func group(f *trace.File) string {
	own := *f
	own.Manifest.Labels = maps.Clone(f.Manifest.Labels)
	delete(own.Manifest.Labels, "seed")
	return own.Describe()
}

// distributions compares the work of curves that differ only in their seed. ok is false if there are too few seeds, if
// there is no gap, or if a run is missing or did not finish.
func distributions(curves []Comparison) (c Comparison, ok bool) {
	var files []*trace.File
	var works []descent
	for _, c := range curves {
		for _, f := range []*trace.File{c.Reference, c.Fresh} {
			if f == nil || f.Status() != trace.Done || len(f.Rows) == 0 {
				return c, false
			}
			d := workOf(f.Rows, f.Rows[len(f.Rows)-1])
			if len(d.gap) == 0 {
				return c, false
			}
			files, works = append(files, f), append(works, d)
		}
	}
	g := target(files, works)
	if len(curves) < leastSeeds || g <= floorGap {
		return c, false
	}
	var was, is []float64
	for i := 0; i < len(works); i += 2 {
		was, is = append(was, works[i].to(g)), append(is, works[i+1].to(g))
	}
	c = Comparison{Experiment: curves[0].Experiment, Curve: group(curves[0].Reference), OK: true,
		Reference: curves[0].Reference, Fresh: curves[0].Fresh, Changed: curves[0].Changed, Stale: curves[0].Stale}
	factor, p := shift(was, is)
	if !math.IsInf(factor, 1) {
		c.Work = factor
	}
	if p <= level && (factor > 1+tolWork || factor < 1/(1+tolWork)) {
		c.OK, c.Column = false, trace.Gap
		c.Message = fmt.Sprintf("over %d seeds the median of the passes to gap %.3g is %.4g, was %.4g: a factor of %.3g "+
			"in work (tolerance %g %%; p = %.2g)", len(is), g, median(is), median(was), factor, 100*tolWork, p)
		if math.IsInf(factor, 1) {
			c.Message = fmt.Sprintf("fewer than half of %d seeds reach gap %.3g; in the reference, the median of the passes to "+
				"it is %.4g (p = %.2g)", len(is), g, median(was), p)
		}
	}
	return c, true
}

// target returns the gap to which the work is compared: the median of the last gaps of all runs of both sides, so that
// half of the runs reach it. But the target is at least the last gap of each run that ended by a rule on the gap,
// because such a run stopped as soon as it met the rule. The target must not depend on which runs belong to which side:
// otherwise the permutation test would not be valid.
func target(files []*trace.File, works []descent) float64 {
	var ends []float64
	least := 0.0
	for i, d := range works {
		end := d.gap[len(d.gap)-1]
		if ends = append(ends, end); files[i].End.Rule == trace.Gap {
			least = max(least, end)
		}
	}
	slices.Sort(ends)
	return max(least, ends[(len(ends)-1)/2])
}

// shift returns the ratio of the medians of two samples, "is" divided by "was", and the p-value of a permutation test
// on ranks. The p-value is the probability of a rank sum at least this far from its mean if both samples have the same
// distribution. Infinite values rank above all others.
func shift(was, is []float64) (factor, p float64) {
	ranks := midranks(slices.Concat(was, is))
	sum := func(of []float64) (s float64) {
		for _, r := range of[:len(was)] {
			s += r
		}
		return math.Abs(s - float64(len(was)*(len(ranks)+1))/2)
	}
	seen, beyond := sum(ranks), 1
	rng := rand.New(rand.NewPCG(1, 2))
	for range draws {
		rng.Shuffle(len(ranks), func(i, j int) { ranks[i], ranks[j] = ranks[j], ranks[i] })
		if sum(ranks) >= seen-1e-9 {
			beyond++
		}
	}
	factor = median(is) / median(was)
	if math.IsNaN(factor) { // both medians are 0, or both are infinite
		factor = 1
	}
	return factor, float64(beyond) / (draws + 1)
}

// midranks returns the ranks of the values, from 1. Ties get their mean rank.
func midranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	out := make([]float64, len(values))
	for from := 0; from < len(order); {
		to := from
		for to < len(order) && values[order[to]] == values[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}

// median returns the median of the values.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
