package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/internal/chromium"
	"github.com/gaplab/gaplab/site/playground"
)

var (
	full     = flag.Bool("full", false, "compile the solvers to WebAssembly and use the playground in a browser")
	pictures = flag.String("pictures", "", "with -full: write pictures of the playground to this folder")
	public   = flag.String("public", "", "with -full: use the WebAssembly in this site, instead of compiling it")
)

// tab is a tab of a browser that shows the playground.
type tab struct {
	*testing.T
	ctx     context.Context
	address string
}

// evaluate returns the value of an expression in the page.
func evaluate[V any](t tab, expression string) V {
	t.Helper()
	v, err := chromedp.Run(t.ctx, chromedp.Evaluate[V](expression))
	if err != nil {
		t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// wait waits until an expression is true in the page.
func (t tab) wait(expression string) {
	t.Helper()
	begun := time.Now()
	for !evaluate[bool](t, "Boolean("+expression+")") {
		if time.Since(begun) > 3*time.Minute {
			t.Fatalf("not true after %v: %s; the page says %q", time.Since(begun), expression, t.shown(".state"))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// shown returns the text of a part of the playground.
func (t tab) shown(class string) string {
	t.Helper()
	return evaluate[string](t, `document.querySelector("#playground `+class+`").innerText`)
}

// open opens the playground with a fragment, in a new document.
func (t tab) open(fragment string) {
	t.Helper()
	for _, address := range []string{"about:blank", t.address + "/" + playgroundPath + fragment} {
		if err := chromedp.Do(t.ctx, chromedp.Navigate(address)); err != nil {
			t.Fatal(err)
		}
	}
}

// write writes a text to the editor.
func (t tab) write(text string) {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	evaluate[bool](t, `(() => { const area = document.querySelector("#playground textarea");
		area.value = `+string(quoted)+`; area.dispatchEvent(new Event("input")); return true; })()`)
}

// click clicks a button of the playground.
func (t tab) click(class string) {
	t.Helper()
	t.wait(`!document.querySelector("#playground ` + class + `").disabled`)
	evaluate[bool](t, `(document.querySelector("#playground `+class+`").click(), true)`)
}

// TestPlayground uses the playground in a browser.
func TestPlayground(t *testing.T) {
	if !*full {
		t.Skip("needs -full")
	}
	browser, err := chromium.Find()
	if err != nil {
		t.Skip(err)
	}
	dir := built(t)
	if *public != "" {
		for _, name := range []string{"gaplab.wasm.gz", "wasm_exec.js"} {
			text, err := os.ReadFile(filepath.Join(*public, "playground", name))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "playground", name), text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	} else if err := playground.Build(filepath.Join(dir, "playground")); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(dir, "playground", "gaplab.wasm.gz")); err != nil || info.Size() > 4e6 {
		t.Errorf("the WebAssembly has %v bytes, %v; want at most 4 MB", info.Size(), err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	t.Cleanup(server.Close)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.Headless)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	p := tab{t, ctx, server.URL}

	p.first()
	p.faults()
	p.words()
	p.form()
	p.ownFile()
	p.stopped()
	p.rows()
}

// first checks that the page runs its first experiment at once, and draws the curves.
func (t tab) first() {
	t.open("")
	t.wait(`document.querySelector("#playground-curves canvas")`)
	t.Logf("first curve after %.0f ms", evaluate[float64](t, "performance.now()"))
	t.wait(ended)
	t.wait(`!document.querySelector("#playground .go").disabled`) // the check of the spec, after the first rows
	if faults := t.shown(".faults"); faults != "" {
		t.Errorf("the first experiment has the faults %q", faults)
	}
	runs := t.shown(".runs")
	if strings.Count(runs, "done") != 4 {
		t.Errorf("the runs are\n%s\nwant 4 that are done", runs)
	}
	if n := evaluate[int](t, `document.querySelectorAll("#playground .series label").length`); n != 4 {
		t.Errorf("%d curves, want 4", n)
	}
	for _, theme := range []string{"light", "dark"} {
		for _, width := range []int64{390, 1400} {
			t.picture("curves", theme, width)
		}
	}
}

// ended is true in the page when the runs have ended.
const ended = `/^\d+ runs? in .* s\./.test(document.querySelector("#playground .state").textContent)`

// faults checks that a fault is shown with its line, and that the spec does not run.
func (t tab) faults() {
	t.write("apiVersion: gaplab/v1\nid: a/b\ndataset: {name: digits, trainn: 3}\n")
	t.wait(`document.querySelector("#playground .faults li")`)
	const want = "playground.yaml:3: dataset.trainn: unknown key"
	if got := t.shown(".faults"); !strings.Contains(got, want) {
		t.Errorf("the faults are %q, want %q", got, want)
	}
	if got := t.shown(".numbers .bad:nth-child(3)"); got != "3" {
		t.Errorf("the marked line is %q, want 3", got)
	}
	t.picture("fault", "dark", 1400)
	if !evaluate[bool](t, `document.querySelector("#playground .go").disabled`) {
		t.Error("a spec with a fault can be run")
	}
}

// words checks that the editor completes a word, also after characters that take several bytes.
func (t tab) words() {
	t.write("apiVersion: gaplab/v1\ntitle: größer ε\nmodel: {name: multicl")
	evaluate[bool](t, `(() => { const area = document.querySelector("#playground textarea"); area.focus();
		area.setSelectionRange(area.value.length, area.value.length); area.dispatchEvent(new Event("input"));
		return true; })()`)
	t.wait(`!document.querySelector("#words").hidden`)
	t.picture("words", "light", 1400)
	if got := evaluate[string](t, `document.querySelector("#words li").innerText`); !strings.Contains(got, "multiclass") ||
		!strings.Contains(got, "one weight vector per class") {
		t.Errorf("the first word is %q, want multiclass with its description", got)
	}
	evaluate[bool](t, `document.querySelector("#playground textarea").dispatchEvent(
		new KeyboardEvent("keydown", {key: "Enter", cancelable: true}))`)
	if got := t.text(); !strings.HasSuffix(got, "model: {name: multiclass") {
		t.Errorf("the text is %q, want the completed word", got)
	}
}

// text returns the text of the editor.
func (t tab) text() string {
	return evaluate[string](t, `document.querySelector("#playground textarea").value`)
}

// set sets a field of the form.
func (t tab) set(field, value string) {
	evaluate[bool](t, fmt.Sprintf(`(() => { const f = document.querySelector('#playground [name=%s]'); f.value = %q;
		f.dispatchEvent(new Event("change", {bubbles: true})); return true; })()`, field, value))
}

// form checks that the form changes the text, keeps what the reader has written, and that a link holds the text.
func (t tab) form() {
	t.set("problem", "digits-hinge")
	t.wait(`document.querySelector("#playground textarea").value.includes("loss: hinge")`)
	t.write(t.text() + "seeds: [7]\n")
	t.set("n", "25")
	t.set("C", "3")
	t.set("gap", "1e-2")
	for _, want := range []string{"train: 25", "C: 3}", "stop: {gap: 0.01, passes: 100}", "seeds: [7]", "{name: dcd}"} {
		if got := t.text(); !strings.Contains(got, want) {
			t.Errorf("the text is\n%s\nwant %q in it", got, want)
		}
	}
	t.wait(`!document.querySelector("#playground .go").disabled`)
	text := t.text()
	t.click(".link")
	t.wait(`location.hash.startsWith("#spec=")`)
	t.open(evaluate[string](t, "location.hash"))
	t.wait(`!document.querySelector("#playground .go").disabled`)
	if got := t.text(); got != text {
		t.Errorf("the link gives\n%s\nwant\n%s", got, text)
	}
	if got := evaluate[string](t, `document.querySelector("#playground [name=n]").value`); got != "25" {
		t.Errorf("the form shows n = %s after the link, want 25", got)
	}
}

// ownFile drops a file in LIBSVM format on the page, and runs on it.
func (t tab) ownFile() {
	evaluate[bool](t, `(() => {
		const list = new DataTransfer();
		list.items.add(new File(["1 1:1 2:0.5\n2 1:-1 2:0.25\n".repeat(20)], "my data.txt"));
		document.querySelector("#playground").dispatchEvent(new DragEvent("drop", {dataTransfer: list, cancelable: true}));
		return true; })()`)
	t.wait(`document.querySelector("#playground textarea").value.includes("{format: libsvm, path: my_data.txt}")`)
	time.Sleep(300 * time.Millisecond) // the editor checks the text after a pause
	t.click(".go")
	t.wait(ended)
	if got := t.shown(".runs"); !strings.Contains(got, "done") {
		t.Errorf("the runs on the file are\n%s", got)
	}
}

// stopped stops a long run, which keeps its rows. Then it stops a worker that does not answer, because it generates a
// large data set; another worker takes its place.
func (t tab) stopped() {
	const long = `apiVersion: gaplab/v1
id: playground/long
dataset: {name: digits, train: 2000, validation: 10}
model: {name: multiclass, loss: log}
regularisation: {convention: svm-struct, C: 1}
solvers: [{name: sgd, eta0: 0.1}]
stop: {passes: 1000000}
`
	t.write(long)
	time.Sleep(300 * time.Millisecond)
	t.click(".go")
	t.wait(`document.querySelector("#playground-curves canvas")`)
	t.click(".halt")
	t.wait(`!document.querySelector("#playground .go").hidden`)
	if got := t.shown(".runs"); !strings.Contains(got, "interrupted") {
		t.Errorf("the stopped runs are\n%s\nwant interrupted", got)
	}
	t.write(strings.Replace(long, "train: 2000", "train: 900000", 1))
	time.Sleep(300 * time.Millisecond)
	t.click(".go")
	time.Sleep(300 * time.Millisecond)
	t.click(".halt")
	t.wait(`!document.querySelector("#playground .go").hidden`)
	t.set("problem", "migration")
	time.Sleep(300 * time.Millisecond)
	t.click(".go")
	t.wait(ended)
}

// picture writes a picture of the page with a theme and a width of the window.
func (t tab) picture(name, theme string, width int64) {
	t.Helper()
	if *pictures == "" {
		return
	}
	t.look(theme, width)
	image, err := chromedp.Run(t.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	name = fmt.Sprintf("%s-%s-%d.png", name, theme, width)
	if err := os.WriteFile(filepath.Join(*pictures, name), image, 0o666); err != nil {
		t.Fatal(err)
	}
}

// look sets the theme and the width of the window.
func (t tab) look(theme string, width int64) {
	t.Helper()
	err := chromedp.Do(t.ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride,
			emulation.SetDeviceMetricsOverrideParams{Width: width, Height: 900, DeviceScaleFactor: 1})
		if err != nil {
			return chromedp.Void{}, err
		}
		_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: theme}}})
		return chromedp.Void{}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond) // the curves are drawn again
}
