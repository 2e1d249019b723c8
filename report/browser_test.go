package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/gaplab/gaplab/experiments"
	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/report"
)

// accounts are those of experiments at a scale, from the results that git keeps.
func accounts(t testing.TB, scale string, names ...string) []*harness.Account {
	t.Helper()
	found, err := harness.Select(names...)
	if err != nil {
		t.Fatal(err)
	}
	var specs []*lang.Spec
	for _, e := range found {
		s, err := e.At(scale, nil)
		if err != nil {
			t.Fatal(err)
		}
		specs = append(specs, s)
	}
	all, err := harness.Accounts(specs, harness.Root(filepath.Join("..", "results")), harness.Out(t.TempDir()),
		harness.Kept())
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// write makes the page of accounts, and returns its file.
func write(t testing.TB, all []*harness.Account) string {
	t.Helper()
	var out bytes.Buffer
	if err := report.HTML(&out, report.Page{Accounts: all}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// browser is a tab of a headless Chromium.
type browser struct {
	t   testing.TB
	ctx context.Context
}

// open starts a browser with a file, and fails the test in the end if the page wrote an error or a warning to the
// console. Without a browser in PATH the test is skipped.
func open(t testing.TB, file string) *browser {
	t.Helper()
	var path string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "chrome", "headless-shell"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Skip("there is no Chromium in PATH: the page is not looked at by a browser")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute) // longer than the cleanups
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(path), chromedp.NoSandbox, chromedp.Headless)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	b := &browser{t, ctx}
	b.do(chromedp.Navigate("about:blank"))
	said := make(chan string, 100)
	messages := chromedp.Console(ctx)
	go func() {
		for m, err := range messages {
			if err != nil {
				return
			}
			if m.Type == chromedp.ConsoleError || m.Type == chromedp.ConsoleWarning || m.IsException() {
				said <- fmt.Sprint(m.Type, ": ", m.Text, " at ", m.URL, ":", m.Line)
			}
		}
	}()
	b.do(chromedp.Navigate("file://" + filepath.ToSlash(file)))
	helpers, err := os.ReadFile(filepath.Join("testdata", "helpers.js"))
	if err != nil {
		t.Fatal(err)
	}
	eval[bool](b, string(helpers))
	t.Cleanup(func() {
		b.until("true") // what was said before has come by then
		for len(said) > 0 {
			t.Errorf("the console has an error: %s", <-said)
		}
	})
	return b
}

func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval is the value of an expression in the page, which is awaited.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits for an expression to be true.
func (b *browser) until(expression string) {
	b.t.Helper()
	for range 100 {
		if eval[bool](b, expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("never true: %s", expression)
}

// picture saves what is seen to the folder that GAPLAB_PICTURES names, for a person to look at.
func (b *browser) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("GAPLAB_PICTURES")
	if folder == "" {
		return
	}
	image, err := chromedp.Run(b.ctx, chromedp.CaptureScreenshot())
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, name+".png"), image, 0o600)
	}
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) resize(width, height int64) { b.do(chromedp.EmulateViewport(width, height)) }

// dark sets what the system is said to prefer.
func (b *browser) dark(on bool) {
	value := map[bool]string{true: "dark", false: "light"}[on]
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		return cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	})
}

// example is a page of a few experiments with all that a page may have: a figure of curves, one over runs, seeds, a
// table with printed numbers, an experiment without results.
func example(t testing.TB) *browser {
	all := accounts(t, "smoke", "eg/fig06", "eg/fig05", "eg/tab2", "eg/thm2", "cutting-plane/fig1", "cutting-plane/fig8")
	return open(t, write(t, all))
}

// TestLooks: two themes and three widths, without an error and without a line that is wider than the screen.
func TestLooks(t *testing.T) {
	b := example(t)
	for _, dark := range []bool{false, true} {
		b.dark(dark)
		for _, width := range []int64{1400, 800, 390} {
			b.resize(width, 1000)
			name := fmt.Sprintf("%d-dark-%v", width, dark)
			b.until("document.documentElement.dataset.theme === '" + map[bool]string{true: "dark", false: "light"}[dark] + "'")
			for _, at := range []string{"top", "eg/fig06", "eg/tab2", "cutting-plane/fig1"} {
				eval[bool](b, fmt.Sprintf("((document.getElementById(%q) || document.body).scrollIntoView(), true)", at))
				if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > int(width) {
					t.Errorf("%s, %s: %d pixels wide", name, at, wide)
				}
				b.picture(name + "-" + strings.ReplaceAll(at, "/", "-"))
			}
			eval[bool](b, "openExplorer('eg/fig06')")
			b.picture(name + "-explore")
			if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > int(width) {
				t.Errorf("%s, explorer: %d pixels wide", name, wide)
			}
			eval[bool](b, "closeExplorer('eg/fig06')")
		}
	}
}

// TestFilters: the numbers of the summary are links that filter the list; so do the fields, by the keyboard too.
func TestFilters(t *testing.T) {
	b := example(t)
	shown := "[...document.querySelectorAll('article:not([hidden])')].map(a => a.id).join(' ')"
	if got := eval[string](b, shown); got != "eg/fig06 eg/fig05 eg/tab2 eg/thm2 cutting-plane/fig1 cutting-plane/fig8" {
		t.Errorf("at first: %s", got)
	}
	eval[bool](b, `document.querySelector('.verdicts a[href="#paper=eg&verdict=not-testable"]').click() || true`)
	b.until("location.hash === '#paper=eg&verdict=not-testable'")
	for _, check := range []string{
		"document.querySelectorAll('article:not([hidden])').length > 0",
		"[...document.querySelectorAll('article:not([hidden])')].every(a => a.dataset.paper === 'eg')",
		"[...document.querySelectorAll('article:not([hidden]) .claim:not([hidden])')]" +
			".every(c => c.dataset.verdict === 'not-testable')",
		"document.activeElement.id === 'list'",
		"[...document.querySelectorAll('.contents li')].filter(li => li.offsetHeight > 0)" +
			".every(li => li.dataset.id.startsWith('eg/'))",
		"document.getElementById('found').textContent === document.querySelectorAll('article:not([hidden])').length + " +
			"' experiments, ' + document.querySelectorAll('article:not([hidden]) .claim:not([hidden])').length + ' claims'",
	} {
		if !eval[bool](b, check) {
			t.Errorf("filtered by a link: not %s", check)
		}
	}
	eval[bool](b, "document.getElementById('clear').click() || true")
	b.do(chromedp.KeyEvent("/"))
	if !eval[bool](b, "document.activeElement.id === 'q' && (document.getElementById('q').value = '') === ''") {
		t.Error("/ does not go to the search")
	}
	b.do(chromedp.KeyEvent("tab2 warm"))
	if got := eval[string](b, shown); got != "eg/tab2" {
		t.Errorf("searched for tab2 warm: %s", got)
	}
	b.do(chromedp.KeyEvent(" nowhere"))
	if !eval[bool](b, "!document.getElementById('nothing').hidden && "+shown+" === ''") {
		t.Error("nothing matches, and the page does not say so")
	}
}

// TestSwitches: every control of the explorer changes what is drawn.
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
			t.Errorf("%s: not %s; view %s", step.what, step.want, eval[string](b, "JSON.stringify(E.view)"))
		}
	}
	before := eval[float64](b, "E.u.scales.x.max - E.u.scales.x.min")
	b.do(chromedp.Focus("[id='eg/fig06'] .plot"), chromedp.KeyEvent("+"))
	b.until(fmt.Sprintf("E.u.scales.x.max - E.u.scales.x.min < %g", before))
	b.do(chromedp.KeyEvent("0"), chromedp.KeyEvent(kb.ArrowRight))
	if said := eval[string](b, "E.said.textContent"); !strings.Contains(said, "run ") || !strings.Contains(said, "C=") {
		t.Errorf("the keyboard's cursor says %q; want the curve, its values and the key of its run", said)
	}
	if keys := eval[string](b, "E.tip.querySelector('.keys').textContent"); len(keys) != 16 {
		t.Errorf("the run is %q; want a key", keys)
	}
}

// TestSummaries: repetitions are drawn as their median with quartiles, as their mean with the range, or each.
func TestSummaries(t *testing.T) {
	b := example(t)
	b.resize(1400, 1000)
	eval[bool](b, "openExplorer('eg/thm2')")
	if !eval[bool](b, "E.drawn.some(d => d.s.low && d.s.runs.flat().length > 1)") {
		t.Fatal("no curve of several runs")
	}
	for summary, want := range map[string]string{
		"median": "E.drawn.filter(d => d.s.low && !d.s.points)" +
			".every(d => d.s.low.every((v, i) => v <= d.s.y[i] && d.s.y[i] <= d.s.high[i]))",
		"each": "!E.drawn.some(d => d.s.low && !d.s.points)",
	} {
		eval[bool](b, fmt.Sprintf("set('of several runs', %q)", summary))
		if !eval[bool](b, want) {
			t.Errorf("%s: not %s", summary, want)
		}
	}
	b.picture("summaries")
}

// TestSaves: a view is saved with its parameters, and a figure with its description; both are sound XML.
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
		t.Errorf("the view says %+v", parts)
	}
	eval[bool](b, "document.getElementById('eg/fig06').querySelector('.save').click() || true")
	figure := eval[string](b, "saved")
	sound(t, figure)
	if !strings.Contains(figure, "Claim c1, reproduced") || !strings.Contains(figure, "stroke:") {
		t.Error("the saved figure has no description, or no styles")
	}
	if folder := os.Getenv("GAPLAB_PICTURES"); folder != "" {
		for name, text := range map[string]string{"saved-view.svg": view, "saved-figure.svg": figure} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// sound says whether a text is well-formed XML.
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

// TestPrints: all pages are printed, with figures and claims and without controls.
func TestPrints(t *testing.T) {
	b := example(t)
	b.dark(true)
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if len(pdf) < 50_000 || !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("%d bytes of PDF", len(pdf))
	}
	if folder := os.Getenv("GAPLAB_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "print.pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkOpen is how long a browser takes to open the page of all experiments at full size, until it has been drawn
// and its scripts have run, and to open the explorer with the most curves.
func BenchmarkOpen(b *testing.B) {
	file := write(b, accounts(b, "paper", experiments.IDs()...))
	tab := open(b, file)
	for b.Loop() {
		tab.do(chromedp.Reload())
		eval[bool](tab, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))")
	}
	b.ReportMetric(eval[float64](tab, "performance.getEntriesByType('navigation')[0].loadEventEnd"), "ms-to-load")
	helpers, err := os.ReadFile(filepath.Join("testdata", "helpers.js"))
	if err != nil {
		b.Fatal(err)
	}
	eval[bool](tab, string(helpers))
	b.ReportMetric(eval[float64](tab, "(async () => { const t = performance.now(); await openExplorer('egr/fastest'); "+
		"return performance.now() - t; })()"), "ms-to-explore")
	tab.picture("all-explore")
}
