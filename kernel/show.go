package kernel

import (
	"errors"
	"fmt"
	"html"
	"math"
	"strings"
	"sync"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
)

// show shows results: the figure, the table, verdicts, and notes. What cannot be drawn is said in a line.
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
		out.Display("", map[string]string{"text/html": "<div>" + d.SVG() + "</div>", "text/plain": f.Title})
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
		for i, v := range verdicts {
			out.Print(verdict(r.Spec.Claims[i], v))
		}
	}
	for _, w := range r.Set.Warnings {
		note(w)
	}
}

func verdict(c lang.Claim, v claims.Verdict) string {
	text := fmt.Sprintf("%s  %s/%s: %s", v.Verdict, v.Experiment, c.ID, c.Says)
	if v.Measured != "" {
		text += "\n    measured " + v.Measured
	}
	if v.Why != "" {
		text += "\n    " + v.Why
	}
	return text + "\n"
}

// ends is a table of how runs ended, for an experiment without a figure.
func ends(r *harness.Result, out protocol.Output) {
	var md strings.Builder
	md.WriteString("| run | passes | gap | primal | seconds | ended |\n| --- | ---: | ---: | ---: | ---: | --- |\n")
	for i, s := range r.Summaries() {
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

// evaluate shows the value of an expression over the last results.
func (k *Kernel) evaluate(source string, out protocol.Output) error {
	if k.last == nil {
		return errors.New("no results yet: execute an experiment first, such as %run eg/fig06")
	}
	values, err := expr.NewEvaluation(expr.Evidence{Set: k.last.Set}).Values(source)
	if err != nil {
		return err
	}
	words := make([]string, len(values))
	for i, v := range values {
		words[i] = fmt.Sprint(v)
		if x, ok := v.(float64); ok {
			words[i] = fmt.Sprintf("%.6g", x)
		}
	}
	text := strings.Join(words, ", ")
	out.Display("", map[string]string{"text/plain": text})
	return nil
}

// shown is an error as a notebook shows it: faults of a spec with their lines of the cell.
func shown(err error, code string) error {
	if err == nil {
		return nil
	}
	lines := strings.Split(code, "\n")
	e := &protocol.Error{Name: "Error", Value: err.Error()}
	for _, f := range faults(err) {
		e.Name = "SpecError"
		where := f.Key
		if f.Line > 0 {
			where = strings.TrimSuffix(fmt.Sprintf("line %d, %s", f.Line, f.Key), ", ")
		}
		e.Trace = append(e.Trace, strings.TrimPrefix(where+": ", ": ")+f.Reason)
		if f.Line > 0 && f.Line <= len(lines) {
			e.Trace = append(e.Trace, fmt.Sprintf("%4d | %s", f.Line, lines[f.Line-1]))
		}
	}
	if len(e.Trace) > 0 {
		e.Value = e.Trace[0]
	}
	return e
}

// faults are those of a spec in an error, in their order.
func faults(err error) (out []*lang.Fault) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, e := range joined.Unwrap() {
			out = append(out, faults(e)...)
		}
		return out
	}
	var f *lang.Fault
	if errors.As(err, &f) {
		out = append(out, f)
	}
	return out
}

// shownEvery is how often progress moves.
const shownEvery = 200 * time.Millisecond

// progress is one line below a cell that moves while runs go on.
type progress struct {
	out protocol.Output
	id  string

	mu          sync.Mutex
	begun, last time.Time
	display     string // "" until it is shown
}

func newProgress(out protocol.Output, id string) *progress {
	now := time.Now()
	return &progress{out: out, id: id, begun: now, last: now}
}

func (p *progress) event(e harness.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if e.Kind == harness.Noted {
		p.out.Print("note: " + e.Why + "\n")
		return
	}
	if now.Sub(p.last) < shownEvery {
		return
	}
	p.last = now
	p.put(e.Line(p.id, now.Sub(p.begun)))
}

func (p *progress) put(text string) {
	data := map[string]string{"text/plain": text,
		"text/html": "<pre style=\"color: #777\">" + html.EscapeString(text) + "</pre>"}
	if p.display == "" {
		p.display = fmt.Sprintf("progress-%p", p)
		p.out.Display(p.display, data)
		return
	}
	p.out.Update(p.display, data)
}

// close empties the line.
func (p *progress) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.display != "" {
		p.out.Update(p.display, map[string]string{"text/plain": "", "text/html": ""})
	}
}
