package main

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/internal/chromium"
)

// help stands for the program: a help with two commands, one of which has a command of its own.
func help(args ...string) (string, error) {
	switch strings.Join(args, " ") {
	case "--help":
		return "gaplab draws\n\nUsage:\n  gaplab [command]\n\nWork:\n  data        Get data\n  run         Run it\n\n" +
			"Flags:\n  -h, --help   help\n", nil
	case "data --help":
		return "Data\n\nUsage:\n  gaplab data [command]\n\nAvailable Commands:\n  fetch       Fetch it\n\nFlags:\n", nil
	}
	return "Usage:\n  gaplab " + strings.TrimSuffix(strings.Join(args, " "), " --help") + "\n", nil
}

// built writes the site of this repository, with the help of the function help, and returns its folder.
func built(t *testing.T) string {
	t.Helper()
	s, err := read("..", help)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := s.write(dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestLinks checks that each link within the site leads to a file and, if it has an anchor, to a heading; and that no
// page loads anything from another place.
func TestLinks(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test builds the whole site")
	}
	dir := built(t)
	pages := map[string]string{}
	for _, p := range contents() {
		name := p.Path
		if name == "" {
			name = strings.TrimSuffix(p.Source, ".md") + ".html"
		}
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		pages[name] = string(text)
	}
	links := 0
	for name, text := range pages {
		for _, m := range regexp.MustCompile(`<(\w+)[^>]* (href|src)="([^"]*)"`).FindAllStringSubmatch(text, -1) {
			target, err := url.Parse(html.UnescapeString(m[3]))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if target.Scheme != "" {
				if m[1] != "a" {
					t.Errorf("%s loads %s", name, m[3])
				}
				continue
			}
			links++
			to := path.Join(path.Dir(name), target.Path)
			if target.Path == "" {
				to = name
			}
			if !isFile(filepath.Join(dir, to)) {
				t.Errorf("%s: the link %s leads to no file", name, m[3])
			} else if target.Fragment != "" && !strings.Contains(pages[to], `id="`+target.Fragment+`"`) {
				t.Errorf("%s: the link %s leads to no heading", name, m[3])
			}
		}
	}
	if links < 500 {
		t.Errorf("%d links within the site, want at least 500", links)
	}
}

// TestCommands checks that the page of commands has the help of all commands, in the order of the lists.
func TestCommands(t *testing.T) {
	t.Parallel()
	text, err := commands(help)
	if err != nil {
		t.Fatal(err)
	}
	got := regexp.MustCompile(`(?m)^## .*`).FindAllString(text, -1)
	if want := "[## gaplab data ## gaplab data fetch ## gaplab run]"; fmt.Sprint(got) != want {
		t.Errorf("commands %v, want %s", got, want)
	}
}

// TestBrowser opens pages in a browser: on a telephone and on a screen, no page is wider than the window. Then it
// searches.
func TestBrowser(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short is set, and this test opens pages in a browser")
	}
	browser, err := chromium.Find()
	if err != nil {
		t.Skip(err)
	}
	dir := built(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	ctx, stop := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.Headless)
	t.Cleanup(stop)
	ctx, closed := chromedp.NewContext(ctx)
	t.Cleanup(closed)
	open := func(page string) {
		if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.ToSlash(filepath.Join(dir, page)))); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		theme string
		width int64
	}{{"light", 1400}, {"dark", 390}} {
		open("index.html")
		if err := chromedp.Do(ctx, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
			_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride,
				emulation.SetDeviceMetricsOverrideParams{Width: c.width, Height: 900, DeviceScaleFactor: 1})
			if err != nil {
				return chromedp.Void{}, err
			}
			_, err = cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: c.theme}}})
			return chromedp.Void{}, err
		}); err != nil {
			t.Fatal(err)
		}
		for _, page := range []string{"index.html", playgroundPath, "docs/SPEC.html", "papers/egr.html",
			"articles/rsd.html"} {
			open(page)
			wide, err := chromedp.Run(ctx, chromedp.Evaluate[int64]("document.documentElement.scrollWidth"))
			if err != nil || wide > c.width {
				t.Errorf("%s, %d pixels, %s: the page is %d pixels wide, %v", page, c.width, c.theme, wide, err)
			}
		}
	}
	found, err := chromedp.Run(ctx, chromedp.Evaluate[string](`query.value = "theory leaves open";
		query.dispatchEvent(new Event("input"));
		found.querySelector("b").textContent + " " + found.querySelector("a").href`))
	if err != nil || !strings.Contains(found, "What the theory leaves open") ||
		!strings.Contains(found, "articles/egr.html#") {
		t.Errorf("the search found %q, %v; want the section of the article", found, err)
	}
	none, err := chromedp.Run(ctx, chromedp.Evaluate[string](`query.value = "zzzz";
		query.dispatchEvent(new Event("input")); found.textContent`))
	if err != nil || none != "Nothing found." {
		t.Errorf("a search for nothing says %q, %v", none, err)
	}
}
