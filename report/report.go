// Package report writes a report about experiments as a single HTML page that needs no other files. The page contains
// all verdicts. For each experiment it contains the figure, the table, the claims, the spec, the origin of the runs,
// and the curves, which a reader can draw over other axes. The package makes no runs. Package plots draws the figures.
//
//	accounts, err := report.Accounts(specs, harness.Options{})
//	err = report.HTML(file, report.Page{Accounts: accounts})
//
// The library uPlot (folder uplot), which is part of the page, draws the curves. The same accounts give the same page.
package report

import (
	"bytes"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gaplab/gaplab/harness/explore"
	"github.com/gaplab/gaplab/harness/figure"
	"github.com/gaplab/gaplab/plots"
)

// files contains the templates, styles and scripts of pages.
//
//go:embed page.html curves.html live.html *.css *.js uplot/uPlot.iife.min.js uplot/uPlot.min.css uplot/LICENSE
//go:embed fonts/*.woff2 fonts/LICENSE
var files embed.FS

// Page is the content of a report.
type Page struct {
	Title    string // heading of the page; "" for a default
	Accounts []*Account
}

// scripts returns the file names of the scripts that draw the curves, in the order in which they must run.
func scripts() []string {
	return []string{"data.js", "series.js", "ticks.js", "markers.js", "svg.js", "explore.js"}
}

// layout parses the template of a page.
func layout(name string) (*template.Template, error) {
	return template.New(name).Funcs(template.FuncMap{
		"style": func(name string) (template.CSS, error) {
			text, err := files.ReadFile(name)
			return template.CSS(text), err
		},
		"script": func(name string) (template.JS, error) {
			text, err := files.ReadFile(name)
			return template.JS(text), err
		},
		"text":  func(name string) (string, error) { text, err := files.ReadFile(name); return string(text), err },
		"fonts": fonts,
		"join":  strings.Join,
	}).ParseFS(files, name)
}

// fonts returns the CSS rules that contain the typeface.
func fonts() (template.CSS, error) {
	var rules strings.Builder
	for _, font := range []struct {
		name   string
		weight int
	}{{"regular", 400}, {"bold", 700}} {
		text, err := files.ReadFile("fonts/" + font.name + ".woff2")
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&rules, "@font-face { font-family: \"Report Sans\"; font-weight: %d; "+
			"src: url(data:font/woff2;base64,%s) format(\"woff2\"); }\n", font.weight, base64.StdEncoding.EncodeToString(text))
	}
	return template.CSS(rules.String()), nil
}

// HTML writes the page.
func HTML(w io.Writer, p Page) error {
	t, err := layout("page.html")
	if err != nil {
		return err
	}
	v, err := newView(p, t.Lookup("inside"))
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}

// palette returns the colours of package plots as JavaScript, for a light page and for a dark page.
func palette() (template.JS, error) {
	light, dark := plots.Palette(), plots.Palette()
	for i, c := range light {
		dark[i] = night(c)
	}
	text, err := json.Marshal(map[string][]string{"light": light, "dark": dark})
	return template.JS(text), err
}

// packedJSON returns data as JSON in the form of packed.
func packedJSON(data any) (template.HTML, error) {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(data); err != nil {
		return "", fmt.Errorf("curves: %w", err)
	}
	return packed(text.Bytes())
}

// packed returns a text, compressed by gzip, in base64. The page unpacks it when it is needed. This makes the page of
// all experiments three times smaller, and a browser shows it sooner.
func packed(text []byte) (template.HTML, error) {
	var out bytes.Buffer
	code := base64.NewEncoder(base64.StdEncoding, &out)
	zip, err := gzip.NewWriterLevel(code, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	if _, err := zip.Write(text); err != nil {
		return "", err
	}
	if err := zip.Close(); err != nil {
		return "", err
	}
	err = code.Close()
	return template.HTML(out.String()), err
}

// Curves writes a page that contains only the interactive curves of an experiment, for a frame in another page, such as
// the output of a notebook cell.
func Curves(w io.Writer, data explore.Data, meta figure.Meta) error {
	t, err := layout("curves.html")
	if err != nil {
		return err
	}
	v := struct {
		ID, Title, Caption string
		Packed             template.HTML
		Palette            template.JS
		Scripts            []string
	}{ID: meta.ID, Title: meta.Title, Caption: meta.Caption(), Scripts: scripts()}
	if v.Palette, err = palette(); err != nil {
		return err
	}
	if v.Packed, err = packedJSON(data); err != nil {
		return err
	}
	return t.Execute(w, v)
}
