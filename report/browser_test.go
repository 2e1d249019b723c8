package report_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/harness"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/internal/chromium"
	"github.com/gaplab/gaplab/report"
)

// page returns the report page of experiments at a scale, made from the committed results.
func page(scale string, names ...string) ([]byte, error) {
	found, err := harness.Select(names...)
	if err != nil {
		return nil, err
	}
	var specs []*lang.Spec
	for _, e := range found {
		s, err := e.At(scale, nil)
		if err != nil {
			return nil, err
		}
		specs = append(specs, s)
	}
	all, err := report.Accounts(specs, harness.Options{Root: filepath.Join("..", "results"), Kept: true})
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = report.HTML(&out, report.Page{Accounts: all})
	return out.Bytes(), err
}

// browser is a tab of a headless Chromium.
type browser struct {
	t   testing.TB
	ctx context.Context
}

// open starts a browser and opens a page. If the page writes an error or a warning to the console, the test fails when
// it ends. If there is no browser in PATH, open skips the test.
func open(t testing.TB, text []byte) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("-short is set, and this test opens a page in a browser")
	}
	path, err := chromium.Find()
	if err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute) // the cleanups need time too
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
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	b.do(chromedp.Navigate("file://" + filepath.ToSlash(file)))
	b.help()
	t.Cleanup(func() {
		b.until("true") // all messages that the page has written before this call have then arrived
		for len(said) > 0 {
			t.Errorf("message on the browser's console: %s", <-said)
		}
	})
	return b
}

// help adds the functions of testdata/helpers.js to the page.
func (b *browser) help() {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "helpers.js"))
	if err != nil {
		b.t.Fatal(err)
	}
	eval[bool](b, string(text))
}

// do performs actions in the browser.
func (b *browser) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

// eval evaluates a JavaScript expression in the page and waits for its value.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return v
}

// until waits until a JavaScript expression is true.
func (b *browser) until(expression string) {
	b.t.Helper()
	for range 400 { // 20 seconds, because a machine may be slow or shared
		if eval[bool](b, expression) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	b.t.Fatalf("this expression did not become true: %s", expression)
}

// picture saves a screenshot for inspection, in the folder that the environment variable GAPLAB_PICTURES names.
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

// resize sets the size of the window.
func (b *browser) resize(width, height int64) { b.do(chromedp.EmulateViewport(width, height)) }

// dark sets whether the emulated system prefers dark pages.
func (b *browser) dark(on bool) {
	value := map[bool]string{true: "dark", false: "light"}[on]
	b.do(func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		return cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: value}}})
	})
}

// examplePage returns a page with a few experiments that contain all elements of a page: figures with curves and with
// sweeps, repetitions, a table with printed numbers, and an experiment with a single run.
var examplePage = sync.OnceValues(func() ([]byte, error) {
	return page("smoke", "eg/fig06", "eg/fig05", "eg/tab2", "eg/thm2", "cutting-plane/fig1", "cutting-plane/fig8",
		"cutting-plane/lem2")
})

// example opens examplePage in a browser.
func example(t testing.TB) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("-short is set, and this test opens a page in a browser")
	}
	text, err := examplePage()
	if err != nil {
		t.Fatal(err)
	}
	return open(t, text)
}
