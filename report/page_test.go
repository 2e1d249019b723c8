package report_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/experiments"
)

// TestLooks opens the page with both themes and three widths of the window. It checks that there is no error, and that
// the page is not wider than the window.
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
					t.Errorf("%s, at %s: width of the page = %d pixels, want at most %d", name, at, wide, width)
				}
				b.picture(name + "-" + strings.ReplaceAll(at, "/", "-"))
			}
			eval[bool](b, "openExplorer('eg/fig06')")
			b.picture(name + "-explore")
			if wide := eval[int](b, "document.documentElement.scrollWidth"); wide > int(width) {
				t.Errorf("%s, with an explorer: width of the page = %d pixels, want at most %d", name, wide, width)
			}
			eval[bool](b, "closeExplorer('eg/fig06')")
		}
	}
}

// TestFilters checks that the numbers in the summary are links that filter the list of experiments, and that the search
// field filters this list, also with the keyboard.
func TestFilters(t *testing.T) {
	b := example(t)
	shown := "[...document.querySelectorAll('article:not([hidden])')].map(a => a.id).join(' ')"
	if got := eval[string](b, shown); got != "eg/fig06 eg/fig05 eg/tab2 eg/thm2 cutting-plane/fig1 cutting-plane/fig8 "+
		"cutting-plane/lem2" {
		t.Errorf("experiments shown at first = %s, want all", got)
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
			t.Errorf("after a click on a number: this is false: %s", check)
		}
	}
	eval[bool](b, "document.getElementById('clear').click() || true")
	b.do(chromedp.KeyEvent("/"))
	if !eval[bool](b, "document.activeElement.id === 'q' && (document.getElementById('q').value = '') === ''") {
		t.Error("the key / does not move the focus to the search field")
	}
	b.do(chromedp.KeyEvent("tab2 warm"))
	if got := eval[string](b, shown); got != "eg/tab2" {
		t.Errorf("experiments found for tab2 warm = %s, want eg/tab2", got)
	}
	b.do(chromedp.KeyEvent(" nowhere"))
	if !eval[bool](b, "!document.getElementById('nothing').hidden && "+shown+" === ''") {
		t.Error("no experiment matches, but the page does not tell the reader")
	}
}

// TestPrints checks that the page can be printed as a PDF.
func TestPrints(t *testing.T) {
	b := example(t)
	b.dark(true)
	pdf, err := chromedp.Run(b.ctx, chromedp.PrintToPDF())
	if err != nil {
		t.Fatal(err)
	}
	if len(pdf) < 50_000 || !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("the PDF has %d bytes, want at least 50000 that begin with %%PDF", len(pdf))
	}
	if folder := os.Getenv("GAPLAB_PICTURES"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, "print.pdf"), pdf, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// BenchmarkOpen measures two times with the page of all experiments at full size: the time until a browser has drawn
// the page and run its scripts, and the time to open the explorer with the most curves.
func BenchmarkOpen(b *testing.B) {
	text, err := page("paper", experiments.IDs()...)
	if err != nil {
		b.Fatal(err)
	}
	tab := open(b, text)
	for b.Loop() {
		tab.do(chromedp.Reload())
		eval[bool](tab, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true))))")
	}
	b.ReportMetric(eval[float64](tab, "performance.getEntriesByType('navigation')[0].loadEventEnd"), "ms-to-load")
	tab.help()
	b.ReportMetric(eval[float64](tab, "(async () => { const t = performance.now(); await openExplorer('egr/fastest'); "+
		"return performance.now() - t; })()"), "ms-to-explore")
	tab.picture("all-explore")
}
