package show

import (
	"fmt"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
)

// Table runs a committed experiment and displays its table, with the paper's numbers beside gaplab's.
func Table(id string) {
	t, err := Run(Spec(id)).Table()
	check(err, id)
	var b strings.Builder
	check(t.Render(&b, "md"), id)
	markdown(b.String())
	warn(t.Warnings)
}

// Claims runs committed experiments and displays the verdicts on their claims. A name is an id, a glob or a paper.
func Claims(names ...string) {
	selected, err := harness.Select(names...)
	check(err, "claims")
	var b strings.Builder
	b.WriteString(claimsHead)
	for _, e := range selected {
		r := Run(at(e.File, nil))
		verdicts, err := r.Claims()
		check(err, e.ID)
		for i, v := range verdicts { // one verdict for each claim, in the order of the claims
			b.WriteString(claimRow(r.Spec.Claims[i], v))
		}
	}
	markdown(b.String())
}

const claimsHead = "| claim | the paper says | verdict | measured |\n| --- | --- | --- | --- |\n"

// claimRow returns a row of a Markdown table: the claim, its verdict, and the measured values or, if there are none,
// the reason.
func claimRow(c lang.Claim, v claims.Verdict) string {
	verdict := strings.ReplaceAll(string(v.Verdict), "-", " ")
	if v.Verdict != claims.Reproduced {
		verdict = "**" + verdict + "**"
	}
	evidence := v.Measured
	if v.Why != "" {
		evidence = strings.TrimPrefix(evidence+"; "+v.Why, "; ")
	}
	return fmt.Sprintf("| %s/%s | %s | %s | %s |\n", v.Experiment, c.ID, cell(c.Says), verdict, cell(evidence))
}

// cell escapes a text for a cell of a Markdown table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "$", `\$`, "\n", " ").Replace(s)
}

func markdown(text string) {
	gonbui.DisplayMarkdown(text)
	gonbui.Sync()
}
