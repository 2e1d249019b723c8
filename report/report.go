// Package report writes accounts of experiments as one page in HTML that needs no other file: the verdicts, and for
// each experiment its figure, table and claims, its spec, the origin of its runs, and its curves, which a reader can
// draw against other axes. It runs nothing; package plots draws the figures.
//
//	accounts, err := report.Accounts(specs, harness.Options{})
//	err = report.HTML(file, report.Page{Accounts: accounts})
//
// uPlot (folder uplot), which the page contains, draws the curves. The same accounts give the same page.
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

// files holds the templates, styles and scripts of pages.
//
//go:embed page.html curves.html page.css *.js uplot/uPlot.iife.min.js uplot/uPlot.min.css uplot/LICENSE
var files embed.FS

// Page is the content of a report.
type Page struct {
	Title    string // the heading; "": a default
	Accounts []*Account
}

// scripts returns the names of the scripts that draw the curves, in the order in which they run.
func scripts() []string { return []string{"data.js", "series.js", "ticks.js", "svg.js", "explore.js"} }

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
		"text": func(name string) (string, error) { text, err := files.ReadFile(name); return string(text), err },
		"join": strings.Join,
	}).ParseFS(files, name)
}

// HTML writes the page.
func HTML(w io.Writer, p Page) error {
	t, err := layout("page.html")
	if err != nil {
		return err
	}
	v, err := newView(p)
	if err != nil {
		return err
	}
	return t.Execute(w, v)
}

// palette returns the colours of package plots, for a light and for a dark page, as JavaScript.
func palette() (template.JS, error) {
	light, dark := plots.Palette(), plots.Palette()
	for i, c := range light {
		dark[i] = night(c)
	}
	text, err := json.Marshal(map[string][]string{"light": light, "dark": dark})
	return template.JS(text), err
}

// packed returns data as compressed JSON in base64, which makes the page of all experiments a third as large.
func packed(data any) (template.HTML, error) {
	var out bytes.Buffer
	code := base64.NewEncoder(base64.StdEncoding, &out)
	zip, err := gzip.NewWriterLevel(code, gzip.BestCompression)
	if err != nil {
		return "", err
	}
	e := json.NewEncoder(zip)
	e.SetEscapeHTML(false)
	if err := e.Encode(data); err != nil {
		return "", fmt.Errorf("curves: %w", err)
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
	if v.Packed, err = packed(data); err != nil {
		return err
	}
	return t.Execute(w, v)
}
