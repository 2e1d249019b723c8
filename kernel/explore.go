package kernel

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/lang/editor"
	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/kernel/protocol"
	"github.com/gaplab/gaplab/plots"
)

// frame is the figure of one combination of values of the explored settings.
type frame struct {
	figure figure.Figure // without panels if there is no figure
	why    string        // the reason why there is no figure
}

// framesEvery is how often the display shows the figures that are finished, while others are still computed.
const framesEvery = time.Second

// explore runs a cell once for each combination of the values that the cell explores. It shows one figure at a time,
// with a slider for each setting. All figures have the same axes. The page needs no kernel, so the sliders also work in
// exported HTML.
func (k *Kernel) explore(ctx context.Context, c editor.Cell, out protocol.Output) error {
	combinations := c.Frames()
	specs := make([]*lang.Spec, len(combinations)) // check all specs before any experiment runs
	for i, sets := range combinations {
		var err error
		if specs[i], err = k.at(c.File, sets, out); err != nil {
			return err
		}
	}
	display := fmt.Sprintf("frames-%d-%d", k.cell, time.Now().UnixNano())
	out.Display(display, map[string]string{"text/plain": "", "text/html": ""})
	p := newProgress(out, c.Name)
	defer p.close()
	o := k.host.Options
	o.OnEvent = p.event
	var frames []frame
	var all *harness.Result // result of the last experiment
	var files []*trace.File
	var fault error
	last := time.Now()
	for i, s := range specs {
		p.id = fmt.Sprintf("%s, %d of %d (%s)", c.Name, i+1, len(specs), strings.Join(combinations[i], " "))
		r, err := harness.Run(ctx, s, o)
		if fault = err; err == nil {
			all, files = r, append(files, labelled(r, c, i)...)
			fault = failed(ctx, r)
		}
		if fault != nil { // show the frames that were finished before the error
			break
		}
		frames = append(frames, frameOf(r))
		if time.Since(last) > framesEvery && i < len(specs)-1 {
			out.Update(display, pageOf(c, frames, i))
			last = time.Now()
		}
	}
	p.close()
	if all == nil {
		return fault
	}
	joined := *all
	joined.Files, joined.Set = files, trace.NewSet(files)
	final := pageOf(c, frames, 0)
	drawn, _ := joined.Figure() // the frames show its error
	final["text/html"] += curves(&joined, drawn)
	k.last = results{cell: k.cell, name: c.Name, set: joined.Set,
		show: func(out protocol.Output) { out.Display("", final) }, pictures: func() []picture { return pictures(c, frames) }}
	out.Update(display, final)
	return fault
}

// pictures returns the figures of frames, on common axes. The name of each figure consists of its explored values.
func pictures(c editor.Cell, frames []frame) (out []picture) {
	var figures []figure.Figure
	for _, f := range frames {
		figures = append(figures, f.figure)
	}
	for i, f := range plots.Align(figures) {
		if len(f.Panels) == 0 {
			continue
		}
		var values []string
		for j, set := range c.Frames()[i] {
			_, value, _ := strings.Cut(set, "=")
			values = append(values, c.Explore[j].Name+"-"+value)
		}
		name := strings.Join(values, "-")
		out = append(out, picture{regexp.MustCompile(`[^A-Za-z0-9.]+`).ReplaceAllString(name, "-"), f})
	}
	return out
}

// frameOf returns the figure of a result, or the reason why there is none.
func frameOf(r *harness.Result) frame {
	if r.Spec.Figure == nil {
		return frame{why: "The cell has no figure; add one, such as figure: {x: passes, y: gap, yscale: log}."}
	}
	f, err := r.Figure()
	if err != nil {
		return frame{why: err.Error()}
	}
	return frame{figure: f}
}

// labelled returns copies of the runs of combination i, with its explored values as labels, so that expressions can
// select the runs by these values.
func labelled(r *harness.Result, c editor.Cell, i int) (out []*trace.File) {
	for _, f := range r.Files {
		own := *f
		own.Manifest.Labels = maps.Clone(f.Manifest.Labels)
		own.Manifest.Order = len(out)
		rest := i
		for j := len(c.Explore) - 1; j >= 0; j-- {
			e := c.Explore[j]
			text := e.Values[rest%len(e.Values)]
			rest /= len(e.Values)
			name := e.Path[strings.LastIndexByte(e.Path, '.')+1:]
			if _, known := own.Manifest.Labels[name]; known {
				continue
			}
			own.Manifest.Labels[name] = any(text)
			if x, err := strconv.ParseFloat(text, 64); err == nil {
				own.Manifest.Labels[name] = x
			}
		}
		out = append(out, &own)
	}
	return out
}

// choose is the script of a slider. It shows the frame that belongs to the positions of all sliders. Frames are in the
// order in which the last slider changes fastest.
const choose = `(r => { let i = 0; for (const s of r.querySelectorAll("input")) { i = i * (+s.max + 1) + +s.value; ` +
	`s.nextElementSibling.textContent = JSON.parse(s.dataset.values)[s.value]; ` +
	`s.setAttribute("aria-valuetext", s.nextElementSibling.textContent); } ` +
	`r.querySelectorAll("[data-frame]").forEach(f => f.hidden = +f.dataset.frame !== i); })(this.closest("[data-frames]"))`

// pageOf returns the output of a cell with all frames. Only the frame with index at is visible.
func pageOf(c editor.Cell, frames []frame, at int) map[string]string {
	var b, text strings.Builder
	b.WriteString("<div data-frames>")
	rest, places := at, make([]int, len(c.Explore))
	for j := len(c.Explore) - 1; j >= 0; j-- {
		places[j] = rest % len(c.Explore[j].Values)
		rest /= len(c.Explore[j].Values)
	}
	for j, e := range c.Explore {
		list, err := json.Marshal(e.Values)
		if err != nil {
			panic("kernel: " + err.Error()) // impossible: the values are texts
		}
		fmt.Fprintf(&b, `<p><label>%s <input type="range" min="0" max="%d" value="%d" data-values="%s" oninput="%s" `+
			`style="vertical-align: middle; width: 16em"> <output>%s</output></label></p>`, html.EscapeString(e.Name),
			len(e.Values)-1, places[j], html.EscapeString(string(list)), html.EscapeString(choose),
			html.EscapeString(e.Values[places[j]]))
	}
	figures := make([]figure.Figure, len(frames))
	for i, f := range frames {
		figures[i] = f.figure
	}
	figures = plots.Align(figures)
	for i, sets := range c.Frames() {
		hidden := ""
		if i != at {
			hidden = " hidden"
		}
		fmt.Fprintf(&b, `<div data-frame="%d"%s>`, i, hidden)
		name := strings.Join(sets, ", ")
		why := "not computed yet"
		if i < len(frames) {
			why = frames[i].why
			if d, err := plots.Draw(figures[i]); why == "" && err == nil {
				b.WriteString(d.FluidSVG())
			} else if why == "" {
				why = err.Error()
			}
		}
		if why != "" {
			b.WriteString("<p>" + html.EscapeString(name+": "+why) + "</p>")
		}
		b.WriteString("</div>")
		fmt.Fprintf(&text, "%s %s\n", name, why)
	}
	b.WriteString("</div>")
	return map[string]string{"text/html": b.String(), "text/plain": strings.TrimSpace(text.String())}
}
