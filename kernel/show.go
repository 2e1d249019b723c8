package kernel

import (
	"cmp"
	"errors"
	"fmt"
	"html"
	"math"
	"strings"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/summary"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
	"github.com/gaplab/gaplab/report"
)

// show shows the figure, the table, the verdicts and the notes of a result. If one of these gives an error, show prints
// the error instead.
func show(r *harness.Result, out protocol.Output) {
	note := func(text string) { out.Print("note: " + text + "\n") }
	switch f, err := r.Figure(); {
	case r.Spec.Figure == nil:
		ends(r, out)
	case err != nil:
		note(err.Error())
	default:
		d, err := plots.Draw(f)
		if err != nil {
			note(err.Error())
			break
		}
		out.Display("", map[string]string{"text/html": "<div>" + d.FluidSVG() + "</div>" + curves(r, f),
			"text/plain": cmp.Or(f.Title, "figure of "+r.Spec.ID)})
		for _, w := range f.Warnings {
			note(w)
		}
	}
	if r.Spec.Table != nil {
		if t, err := r.Table(); err != nil {
			note(err.Error())
		} else {
			var b strings.Builder
			if err := t.Render(&b, "md"); err == nil {
				out.Display("", map[string]string{"text/markdown": b.String(), "text/plain": b.String()})
			}
		}
	}
	if len(r.Spec.Claims) > 0 {
		verdicts, err := r.Claims()
		if err != nil {
			note(err.Error())
		}
		out.Display("", verdictsOf(r.Spec.Claims, verdicts))
	}
	for _, w := range r.Set.Warnings {
		note(w)
	}
}

// curves returns the interactive curves of a report, in a collapsed frame. It returns "" if there is nothing to draw.
func curves(r *harness.Result, f figure.Figure) string {
	data := r.Explore(f)
	if data == nil {
		return ""
	}
	var page strings.Builder
	if err := report.Curves(&page, *data, figure.NewMeta(r.Spec, r.Set)); err != nil {
		return ""
	}
	return `<details><summary style="cursor: pointer; display: list-item">Explore the curves</summary>` +
		`<iframe loading="lazy" title="Curves to explore" style="width: 100%; height: 32rem; border: 0" srcdoc="` +
		html.EscapeString(page.String()) + `"></iframe></details>`
}

// verdictsOf formats the verdicts of an experiment, in the order of its claims.
func verdictsOf(list []lang.Claim, verdicts []claims.Verdict) map[string]string {
	var md, text strings.Builder
	for i, v := range verdicts {
		c := list[i]
		fmt.Fprintf(&md, "- **%s** %s/%s: %s\n", strings.ReplaceAll(string(v.Verdict), "-", " "), v.Experiment, c.ID,
			strings.TrimSpace(c.Says))
		fmt.Fprintf(&text, "%s  %s/%s: %s\n", v.Verdict, v.Experiment, c.ID, strings.TrimSpace(c.Says))
		for _, line := range []string{v.Measured, v.Why} {
			if line != "" {
				fmt.Fprintf(&md, "  <br>%s\n", html.EscapeString(line))
				fmt.Fprintf(&text, "    %s\n", line)
			}
		}
	}
	return map[string]string{"text/markdown": md.String(), "text/plain": text.String()}
}

// ends shows a table of how the runs ended, for an experiment without a figure.
func ends(r *harness.Result, out protocol.Output) {
	var md strings.Builder
	md.WriteString("| run | passes | gap | primal | seconds | ended |\n| --- | ---: | ---: | ---: | ---: | --- |\n")
	for i, s := range summary.Of(r.Files, harness.Catalogue()) {
		number := func(v *float64) string {
			if v == nil || math.IsNaN(*v) {
				return ""
			}
			return fmt.Sprintf("%.4g", *v)
		}
		fmt.Fprintf(&md, "| %s | %s | %s | %s | %s | %s |\n", r.Files[i].Describe(), number(s.Passes), number(s.Gap),
			number(s.Primal), number(s.Seconds), s.Why)
	}
	out.Display("", map[string]string{"text/markdown": md.String(), "text/plain": md.String()})
}

// errNone is the error of a cell that needs results before there are any.
var errNone = errors.New("no results: execute an experiment first, such as %run eg/fig06")

// noteOlder notes that a cell uses the results of an older cell, if a newer one has failed.
func (k *Kernel) noteOlder(out protocol.Output) {
	if k.last.set != nil && k.last.older {
		out.Print(fmt.Sprintf("note: a later cell failed; these are the results of %s\n", k.last.name))
	}
}

// evaluate shows the value of an expression over the last results, as text and, if possible, as a table. An expression
// that reads no curve needs no results.
func (k *Kernel) evaluate(source string, out protocol.Output) error {
	set := k.last.set
	if set == nil {
		set = trace.NewSet(nil)
	}
	on := expr.NewEvaluation(expr.Evidence{Set: set})
	text, table, err := on.Tabulate(source)
	if k.last.set == nil && expr.Lacks(err) {
		return errNone
	}
	if on.ReadsCurves() {
		k.noteOlder(out)
	}
	if err != nil {
		return err
	}
	data := map[string]string{"text/plain": text}
	if table != nil {
		var md strings.Builder
		if err := table.Markdown(&md); err != nil {
			return err
		}
		data["text/markdown"] = md.String()
	}
	out.Display("", data)
	for _, w := range on.Warnings() {
		out.Print("note: " + w + "\n")
	}
	return nil
}
