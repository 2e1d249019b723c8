package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSwitches checks that each control of the explorer changes the plot.
func TestSwitches(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	eval[bool](b, "openExplorer('eg/fig06')")
	for _, step := range []struct{ what, act, want string }{
		{"as in the figure", "true",
			"E.u.axes[0].label === 'Effective passes' && E.view.logy && E.drawn.length === 4"},
		{"x by seconds", "set('x', 'Solver time, wall clock (s)')", "E.u.axes[0].label.startsWith('Solver time')"},
		{"x by oracle calls", "set('x', 'Oracle calls')",
			"E.u.axes[0].label === 'Oracle calls' && E.u.scales.x.max > 1000"},
		{"x by epochs", "set('x', 'Epochs')", "E.u.axes[0].label === 'Epochs'"},
		{"y by primal", "set('y', 'Primal objective')",
			"E.u.axes[1].label === 'Primal objective' && E.drawn.some(d => d.s.optimum)"},
		{"no references", "set('bounds and optimum', false)", "!E.drawn.some(d => d.s.bound)"},
		{"log x", "set('log x', true)", "E.u.scales.x.distr === 3 && E.drawn.every(d => d.s.x.every(x => x > 0))"},
		{"log y off and on", "set('log y', true)", "E.u.scales.y.distr === 3"},
		{"a value of C", "set('C', 2)", "E.drawn.length === 1 && E.view.pick.C === '10'"},
		{"all C", "set('C', 0)", "E.drawn.length === 4"},
		{"relative", "set('relative to', 'C=1000')",
			"Math.abs(E.drawn.find(d => d.s.label === 'C=1000').s.y[3] - 1) < 1e-9"},
		{"not relative", "set('relative to', '')", "E.drawn.length === 4"},
		{"a series off", "E.series.querySelector('input').click() || true",
			"!E.u.series[E.drawn[0].at].show && E.u.series[E.drawn[1].at].show"},
	} {
		eval[bool](b, step.act)
		if !eval[bool](b, step.want) {
			t.Errorf("%s: this is false: %s; view = %s", step.what, step.want, eval[string](b, "JSON.stringify(E.view)"))
		}
	}
	before := eval[float64](b, "E.u.scales.x.max - E.u.scales.x.min")
	b.do(chromedp.Focus("[id='eg/fig06'] .plot"), chromedp.KeyEvent("+"))
	b.until(fmt.Sprintf("E.u.scales.x.max - E.u.scales.x.min < %g", before))
	b.do(chromedp.KeyEvent("0"), chromedp.KeyEvent(kb.ArrowRight))
	if said := eval[string](b, "E.said.textContent"); !strings.Contains(said, "run ") || !strings.Contains(said, "C=") {
		t.Errorf("text at the keyboard's cursor = %q, want the curve, its values and the key of its run", said)
	}
	if keys := eval[string](b, "E.tip.querySelector('.keys').textContent"); len(keys) != 16 {
		t.Errorf("key of the run = %q, want 16 digits", keys)
	}
}

// TestAllViews checks that each explorer opens, and that it can draw each of its panels with any column on either axis.
func TestAllViews(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	if faults := eval[string](b, "allViews()"); faults != "" {
		t.Error(faults)
	}
}

// TestPointer checks that the pointer shows the nearest point, and that dragging zooms into the enclosed rectangle.
func TestPointer(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	eval[bool](b, "openExplorer('eg/fig06')")
	at := eval[[]float64](b, `(() => {
		const d = E.drawn[3], box = E.u.over.getBoundingClientRect();
		return [box.left + E.u.valToPos(d.s.x[20], "x") + 2, box.top + E.u.valToPos(d.s.y[20], "y") - 2];
	})()`)
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0], at[1]))
	b.until("!E.tip.hidden && E.tip.textContent.includes('C=1')")
	if !eval[bool](b, "E.tip.textContent.includes(E.data.runs[E.drawn[3].s.runs[0]].key)") {
		t.Errorf("text of the tip = %s, want the key of the run in it", eval[string](b, "E.tip.textContent"))
	}
	b.picture("pointer")
	before := eval[float64](b, "E.u.scales.x.max")
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, at[0], at[1], chromedp.ButtonLeft,
		chromedp.ClickCount(1)))
	for _, step := range []float64{30, 60, 90, 120, 150} {
		b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at[0]+step, at[1]+step, chromedp.ButtonLeft))
	}
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, at[0]+150, at[1]+150, chromedp.ButtonLeft,
		chromedp.ClickCount(1)))
	b.until(fmt.Sprintf("E.u.scales.x.max < %g", before))
	b.picture("zoomed")
	b.do(chromedp.KeyEvent("0")) // the plot receives the key, because pressing the pointer gave it the focus
	b.until(fmt.Sprintf("E.u.scales.x.max === %g", before))
}

// TestSummaries checks that repetitions of a run can be drawn as their median with quartiles, or with a separate line
// for each repetition.
func TestSummaries(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	eval[bool](b, "openExplorer('eg/thm2')")
	if !eval[bool](b, "E.drawn.some(d => d.s.low && d.s.runs.flat().length > 1)") {
		t.Fatal("no curve shows several runs")
	}
	for summary, want := range map[string]string{
		"median": "E.drawn.filter(d => d.s.low && !d.s.points)" +
			".every(d => d.s.low.every((v, i) => v <= d.s.y[i] && d.s.y[i] <= d.s.high[i]))",
		"each": "!E.drawn.some(d => d.s.low && !d.s.points)",
	} {
		eval[bool](b, fmt.Sprintf("set('of several runs', %q)", summary))
		if !eval[bool](b, want) {
			t.Errorf("summary %s: this is false: %s", summary, want)
		}
	}
	b.picture("summaries")
}

// TestSaves checks that a saved view contains its parameters, that a saved figure contains its description, and that
// both are well-formed XML.
func TestSaves(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	eval[bool](b, "openExplorer('cutting-plane/fig8') ")
	eval[bool](b, "(window.download = (name, text) => { window.saved = text; }, E.save(), true)")
	view := eval[string](b, "saved")
	sound(t, view)
	var parts struct {
		Title    string `xml:"title"`
		Desc     string `xml:"desc"`
		Metadata string `xml:"metadata"`
	}
	var parameters struct {
		Experiment string
		X          string
		Y, Runs    []string
	}
	if err := xml.Unmarshal([]byte(view), &parts); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(parts.Metadata), &parameters); err != nil {
		t.Fatal(err)
	}
	if parameters.Experiment != "cutting-plane/fig8" || parameters.X != "eps" || len(parameters.Y) == 0 ||
		len(parameters.Runs) < 2 || !strings.Contains(parts.Desc, " against ") || parts.Title == "" {
		t.Errorf("saved view = %+v, want the experiment, the axes, the runs, a description and a title", parts)
	}
	eval[bool](b, "openExplorer('eg/fig06').then(() => closeExplorer('eg/fig06'))")
	eval[bool](b, "document.getElementById('eg/fig06').querySelector('.save').click() || true")
	figure := eval[string](b, "saved")
	sound(t, figure)
	if !strings.Contains(figure, "Claim c1, reproduced") || !strings.Contains(figure, "stroke:") {
		t.Error("the saved figure lacks its description or its styles")
	}
	if folder := os.Getenv("GAPLAB_PICTURES"); folder != "" {
		for name, text := range map[string]string{"saved-view.svg": view, "saved-figure.svg": figure} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sound fails the test unless a text is well-formed XML.
func sound(t *testing.T, text string) {
	t.Helper()
	for d := xml.NewDecoder(strings.NewReader(text)); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
