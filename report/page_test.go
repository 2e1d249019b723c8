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
			if width < 992 && !eval[bool](b, "Promise.all(articles.map(fill))"+
				".then(() => [...document.querySelectorAll('.body')]"+
				".every(e => !getComputedStyle(e).gridTemplateColumns.replace(/\\([^)]*\\)/g, '').includes(' ')))") {
				t.Errorf("%s: an experiment has its claims beside its figure or table; want one column", name)
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
	if got := eval[string](b, shown); got != "eg/fig05 eg/fig06 eg/tab2 eg/thm2 cutting-plane/fig1 cutting-plane/fig8 "+
		"cutting-plane/lem2" {
		t.Errorf("experiments shown at first = %s, want all", got)
	}
	eval[bool](b, `document.querySelector('.verdicts a[href="#paper=eg&verdict=not-testable"]').click() || true`)
	b.until("location.hash === '#paper=eg&verdict=not-testable' && document.activeElement.id === 'list'")
	eval[bool](b, "Promise.all(articles.filter(a => !a.hidden).map(fill)).then(() => true)")
	for _, check := range []string{
		"document.querySelectorAll('article:not([hidden])').length > 0",
		"[...document.querySelectorAll('article:not([hidden])')].every(a => a.dataset.paper === 'eg')",
		"[...document.querySelectorAll('article:not([hidden])')].every(a => a.classList.contains('open'))",
		"[...document.querySelectorAll('article:not([hidden]) .claim:not([hidden])')]" +
			".every(c => c.dataset.verdict === 'not-testable')",
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
	b.until(shown + " === 'eg/tab2'")
	b.do(chromedp.KeyEvent(" nowhere"))
	b.until("!document.getElementById('nothing').hidden && " + shown + " === ''")
}

// TestSearch checks the order of what the search finds: an id and a title come before other texts. It also checks that
// the search knows the authors of papers, and phrases in quotation marks.
func TestSearch(t *testing.T) {
	b := example(t)
	found := func(text string) string {
		return eval[string](b, fmt.Sprintf("(async () => { tools.q.value = %q; await filter(); return articles"+
			".filter(a => !a.hidden).sort((a, b) => a.style.order - b.style.order).map(a => a.id).join(' '); })()", text))
	}
	for _, c := range []struct{ text, first, without string }{
		{"fig1", "cutting-plane/fig1", ""},
		{"EG/FIG06", "eg/fig06", ""},
		{"duality gap", "eg/fig06", ""},
		{"collins", "eg/", "cutting-plane"},
		{"joachims", "cutting-plane/", "eg/"},
		{`"warm starts"`, "eg/tab2", "cutting-plane"},
		{`"starts warm"`, "", "eg"},
	} {
		got := found(c.text)
		if !strings.HasPrefix(got, c.first) || c.without != "" && strings.Contains(got, c.without) ||
			c.first != "" && got == "" {
			t.Errorf("experiments found for %s, the best first = %q, want one with %q first, and none with %q", c.text, got,
				c.first, c.without)
		}
	}
}

// TestContents checks that the table of contents marks the experiment at which the reader is, and that the mark stays
// visible when the window is low.
func TestContents(t *testing.T) {
	b := example(t)
	b.resize(1400, 260)
	eval[bool](b, "(openAll(true), location.hash = '#cutting-plane/lem2', true)")
	b.until("document.querySelector('.contents li.here[data-id=\"cutting-plane/lem2\"]') !== null")
	b.until("(() => { const c = contents.getBoundingClientRect(), " +
		"li = contents.querySelector('li.here').getBoundingClientRect(); " +
		"return li.top >= c.top - 1 && li.bottom <= c.bottom + 1; })()")
}

// TestPhone checks that a figure with panels side by side is shown with one panel below the other in a narrow window,
// and that its texts have a legible size there.
func TestPhone(t *testing.T) {
	b := example(t)
	b.resize(390, 844)
	eval[bool](b, "(location.hash = '#eg/fig05', true)")
	b.until("document.querySelector('[id=\"eg/fig05\"] .drawing.narrow svg') !== null")
	for _, check := range []string{
		"document.querySelector('[id=\"eg/fig05\"] .drawing:not(.narrow)').offsetHeight === 0",
		"document.querySelector('[id=\"eg/fig05\"] .drawing.narrow').offsetHeight > 400",
		"[...document.querySelectorAll('[id=\"eg/fig05\"] .narrow text')].every(e => e.getBoundingClientRect().height > 8)",
		"document.documentElement.scrollWidth <= 390",
	} {
		if !eval[bool](b, check) {
			t.Errorf("this is false: %s", check)
		}
	}
	b.resize(1400, 844)
	if !eval[bool](b, "document.querySelector('[id=\"eg/fig05\"] .drawing.narrow').offsetHeight === 0") {
		t.Error("a wide window shows the figure for narrow windows too")
	}
}

// TestPrints checks that the page can be printed as a PDF.
func TestPrints(t *testing.T) {
	b := example(t)
	b.dark(true)
	eval[bool](b, "(openAll(true), Promise.all(articles.map(fill)).then(() => true))")
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

// BenchmarkOpen measures three times with the page of all experiments at full size: the time until a browser draws the
// first contents, the time until it has drawn the page and run its scripts, and the time to open the explorer with the
// most curves.
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
	b.ReportMetric(eval[float64](tab, "performance.getEntriesByType('paint')."+
		"find(e => e.name === 'first-contentful-paint').startTime"), "ms-to-paint")
	tab.help()
	b.ReportMetric(eval[float64](tab, "(async () => { const t = performance.now(); await openExplorer('egr/fastest'); "+
		"return performance.now() - t; })()"), "ms-to-explore")
	tab.picture("all-explore")
}
