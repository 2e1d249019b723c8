package ci

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/internal/tabular"
	"github.com/gaplab/gaplab/report"
)

// Report returns a summary in Markdown: for each experiment how many claims have each verdict, and a list of the claims
// that are not reproduced.
func Report(title string, accounts []*report.Account) string {
	total, all := map[claims.Outcome]int{}, 0
	var lines, short strings.Builder
	listed := 0
	for _, a := range accounts {
		n := a.Count()
		fmt.Fprintf(&lines, "| %s | %s | %d |", cell(a.Spec.ID), cell(a.Spec.Title), len(a.Verdicts))
		for _, o := range claims.Outcomes() {
			fmt.Fprintf(&lines, " %d |", n[o])
			total[o] += n[o]
		}
		lines.WriteString(" " + cell(stateOf(a)) + " |\n")
		all += len(a.Verdicts)
		for i, v := range a.Verdicts {
			if v.Verdict != claims.NotReproduced || listed == longest {
				continue
			}
			listed++
			fmt.Fprintf(&short, "| %s | %s | %s |\n", cell(v.Experiment+"/"+v.Claim),
				cell(strings.TrimSpace(a.Spec.Claims[i].Says)), cell(tabular.Clip(cmp.Or(v.Measured, v.Why), 200)))
		}
	}
	var out strings.Builder
	fmt.Fprintf(&out, "## %s\n\n%s of %s reproduced", cell(cmp.Or(title, "gaplab report")),
		amount.Count(total[claims.Reproduced], "claim"), amount.Count(len(accounts), "experiment"))
	fmt.Fprintf(&out, ", %d not, %s, %d not testable, %d not measured: %d in all.\n", total[claims.NotReproduced],
		amount.Count(total[claims.Tie], "tie"), total[claims.NotTestable], total[claims.NotMeasured], all)
	if short.Len() > 0 {
		out.WriteString("\n| not reproduced | claim | measured |\n| --- | --- | --- |\n" +
			short.String())
	}
	if total[claims.NotReproduced] > listed {
		fmt.Fprintf(&out, "\nThe table shows the first %d.\n", listed)
	}
	fold := len(accounts) > 12
	if fold {
		out.WriteString("\n<details><summary>All experiments</summary>\n")
	}
	out.WriteString("\n| experiment | title | claims | reproduced | not | tie | not testable | not measured | results " +
		"|\n" +
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n" + lines.String())
	if fold {
		out.WriteString("\n</details>\n")
	}
	return out.String()
}

// stateOf describes the results of an experiment: how many runs have a result and how many failed. If there are no
// results, it names the command that makes them.
func stateOf(a *report.Account) string {
	if a.Missing != nil {
		return "none: " + a.Command
	}
	all := fmt.Sprintf("%d of %s", len(a.Runs), amount.Count(a.Planned, "run"))
	text := cmp.Or(a.Share, all)
	if n := len(a.Failed); n > 0 {
		text += ", " + amount.Count(n, "failure")
	}
	return text + ", scale " + a.Spec.Scale
}
