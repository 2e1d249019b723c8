package choice

import (
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Superfluous reports which runs of a plan are not made: the final runs of values that lost a comparison. While the
// comparison of a group is undecided, all its final runs except the first are superfluous, because only one will be
// made. file returns the file of run i, or nil if there is none.
func Superfluous(runs []lang.Run, file func(i int) *trace.File) []bool {
	out := make([]bool, len(runs))
	var entrants []Entrant
	for i, r := range runs {
		entrants = append(entrants, Entrant{Run: r, File: file(i)})
	}
	verdicts := map[string]Verdict{}
	for _, group := range Groups(entrants) {
		if !group[0].Early() {
			verdicts[group[0].Choose.Group] = Decide(group)
		}
	}
	first := map[string]bool{}
	for i, r := range runs {
		if r.Choose == nil || !r.Choose.Final {
			continue
		}
		v, again := verdicts[r.Choose.Group], first[r.Choose.Group]
		first[r.Choose.Group] = true
		switch v.State {
		case Undecided:
			out[i] = again
		case Nobody:
			out[i] = true
		case Decided:
			out[i] = Value(r) != v.Value
		}
	}
	return out
}
