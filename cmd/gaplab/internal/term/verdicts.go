package term

import (
	"fmt"
	"io"
	"strings"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/tabular"
)

// Verdicts prints each claim with its text, its verdict, and the measured values or the reason.
func Verdicts(w io.Writer, c Colours, list []lang.Claim, verdicts []claims.Verdict) {
	width := 0
	for _, v := range verdicts {
		width = max(width, tabular.Width(v.Claim))
	}
	indent := 2 + width + 2
	for i, v := range verdicts {
		word := fmt.Sprintf("%-14s", v.Verdict)
		fmt.Fprintf(w, "  %-*s  %s  %s\n", width, v.Claim, c.verdict(v.Verdict, word),
			c.Hang(strings.TrimSpace(list[i].Says), indent+16))
		evidence := func(name, text string) {
			if text != "" {
				fmt.Fprintf(w, "%*s%s  %s\n", indent, "", c.Faint(fmt.Sprintf("%-14s", name)), c.Hang(text, indent+16))
			}
		}
		evidence("measured", v.Measured)
		if v.Verdict != claims.Reproduced {
			evidence("asserted", v.Asserted)
		}
		evidence("why", v.Why)
		for _, text := range v.Warnings {
			evidence("note", text)
		}
	}
}

// verdict colours the word for a verdict.
func (c Colours) verdict(v claims.Outcome, word string) string {
	switch v {
	case claims.Reproduced:
		return c.green(word)
	case claims.NotReproduced:
		return c.red(word)
	}
	return c.yellow(word)
}
