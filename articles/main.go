// Command articles makes the HTML page and the PDF of articles:
//
//	go run ./articles egr
//
// The text of an article is articles/NAME/README.md, which `gaplab render` writes from its template and the kept
// results. The page contains its figures, so it needs no other file and no network; its formulas are MathML. The PDF
// needs Chromium. The files are articles/NAME/NAME.html and NAME.pdf, or are in the folder of -o.
package main

import (
	"context"
	"embed"
	"encoding/base64"
	"flag"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/gaplab/gaplab/internal/chromium"
	"github.com/gaplab/gaplab/internal/markdown"
)

//go:embed article.html
var layout embed.FS

func main() {
	out := flag.String("o", "", "`folder` of the files, instead of that of the article")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: go run ./articles [-o folder] NAME...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	for _, name := range flag.Args() {
		folder := filepath.Join("articles", name)
		if err := build(folder, name, *out); err != nil {
			fmt.Fprintln(os.Stderr, "articles:", err)
			os.Exit(1)
		}
	}
}

// build makes the page and the PDF of the article in a folder.
func build(folder, name, out string) error {
	if out == "" {
		out = folder
	}
	text, err := html(folder)
	if err != nil {
		return err
	}
	path := filepath.Join(out, name+".html")
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return err
	}
	fmt.Println(path)
	printed, err := pdf(path)
	if err != nil {
		return err
	}
	path = filepath.Join(out, name+".pdf")
	fmt.Println(path)
	return os.WriteFile(path, printed, 0o666)
}

// html returns the page of the article in a folder.
func html(folder string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(folder, "README.md"))
	if err != nil {
		return nil, err
	}
	title, _, _ := strings.Cut(strings.TrimPrefix(string(text), "# "), "\n")
	body, err := markdown.HTML(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	if body, err = withFigures(body, folder); err != nil {
		return nil, err
	}
	t, err := template.ParseFS(layout, "article.html")
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	err = t.Execute(&b, struct {
		Title string
		Body  template.HTML
	}{title, body})
	return []byte(b.String()), err
}

// withFigures replaces the paths of SVG figures, relative to the article's folder, by their contents.
func withFigures(body template.HTML, folder string) (template.HTML, error) {
	var failed error
	out := regexp.MustCompile(`src="([^":]+\.svg)"`).ReplaceAllStringFunc(string(body), func(s string) string {
		path := strings.TrimSuffix(strings.TrimPrefix(s, `src="`), `"`)
		figure, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(path)))
		if err != nil {
			failed = err
		}
		return `src="data:image/svg+xml;base64,` + base64.StdEncoding.EncodeToString(figure) + `"`
	})
	return template.HTML(out), failed
}

// pdf prints a page on A4 paper. Without a browser, it returns a chromium.ErrNone.
func pdf(path string) ([]byte, error) {
	browser, err := chromium.Find()
	if err != nil {
		return nil, fmt.Errorf("there is no PDF: %w", err)
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	ctx, stop := chromedp.NewExecAllocator(ctx, chromedp.ExecPath(browser), chromedp.NoSandbox, chromedp.Headless)
	defer stop()
	ctx, closed := chromedp.NewContext(ctx)
	defer closed()
	if err := chromedp.Do(ctx, chromedp.Navigate("file://"+filepath.ToSlash(path))); err != nil {
		return nil, err
	}
	return chromedp.Run(ctx, chromedp.PrintToPDF(chromedp.PDFPreferCSSPageSize(), chromedp.PDFOutlineAndTagged(),
		chromedp.PDFHeaderTemplate("<span></span>"), chromedp.PDFFooterTemplate(
			`<div style="font-size: 7pt; width: 100%; text-align: center"><span class="pageNumber"></span></div>`)))
}
