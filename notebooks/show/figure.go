package show

import (
	"fmt"
	"html"
	"strings"

	"github.com/janpfeifer/gonb/gonbui"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots"
)

// Figure runs a committed experiment, displays its figure, and prints the warnings of the figure.
func Figure(id string) { Result(Run(Spec(id))) }

// Result displays the figure of a result, and prints the warnings of the figure.
func Result(r *harness.Result) {
	f := Resolve(r)
	display(svg(f))
	warn(f.Warnings)
}

// Resolve returns the figure of a result as data, which a cell may change before it calls Draw.
func Resolve(r *harness.Result) figure.Figure {
	f, err := r.Figure()
	check(err, r.Spec.ID)
	return f
}

// Draw displays a figure.
func Draw(f figure.Figure) { display(svg(f)) }

func svg(f figure.Figure) string {
	d, err := plots.Draw(f)
	check(err, f.ID)
	return d.FluidSVG()
}

// warn prints warnings to standard output, since text on standard error would count as a failure of the cell.
func warn(warnings []string) {
	for _, w := range warnings {
		fmt.Println("Note:", w)
	}
}

// display shows HTML below the cell. It then waits for the kernel, which may lose output that arrives when a cell ends.
func display(page string) {
	gonbui.DisplayHTML("<div>" + page + "</div>")
	gonbui.Sync()
}

// Frame is one position of a Slider.
type Frame struct {
	Label  string
	Figure figure.Figure
}

// Slider displays one frame at a time, selected by a slider. name is the label of the slider. All frames are drawn in
// advance, so the slider also works on an HTML page made from the notebook.
func Slider(name string, frames []Frame) {
	if len(frames) == 0 {
		check(fmt.Errorf("no frames; give at least one"), "slider "+name)
	}
	display(slider(name, frames))
	for _, f := range frames {
		warn(f.Figure.Warnings)
	}
}

func slider(name string, frames []Frame) string {
	const choose = "const at = this.value;" +
		" this.closest('[data-slider]').querySelectorAll('[data-frame]').forEach(f => { f.hidden = f.dataset.frame !== at });"
	var b strings.Builder
	fmt.Fprintf(&b, "<div data-slider>\n<div style=\"margin: .5em 0\"><label>%s <input type=\"range\" min=\"0\" "+
		"max=\"%d\" value=\"0\" oninput=\"%s\"></label></div>\n",
		html.EscapeString(name), len(frames)-1, html.EscapeString(choose))
	for i, f := range frames {
		hidden := " hidden"
		if i == 0 {
			hidden = ""
		}
		fmt.Fprintf(&b, "<div data-frame=\"%d\"%s><b>%s</b><br>\n%s</div>\n", i, hidden, html.EscapeString(f.Label),
			svg(f.Figure))
	}
	b.WriteString("</div>\n")
	return b.String()
}
