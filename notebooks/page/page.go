// Package page converts an executed notebook to a page: one HTML file that needs no network. Its formulas are MathML.
// Its figures are the HTML that the cells displayed.
//
//	nb, err := ipynb.ReadFile("out/eg.ipynb")
//	err = page.Write(w, nb, "eg")
package page

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/gaplab/gaplab/internal/markdown"
	"github.com/gaplab/gaplab/notebooks/ipynb"
)

//go:embed page.html
var layout embed.FS

// Write writes the page of a notebook. The page contains the HTML that cells displayed, including scripts. So trust the
// page only if you trust the notebook.
func Write(w io.Writer, nb *ipynb.Notebook, title string) error {
	t, err := template.ParseFS(layout, "page.html")
	if err != nil {
		return err
	}
	out := struct {
		Title string
		Cells []cell
	}{Title: title}
	for i, c := range nb.Cells {
		made, err := of(c)
		if err != nil {
			return fmt.Errorf("cell %d: %w", i+1, err)
		}
		if h := heading(string(c.Source)); out.Title == title && c.Type == "markdown" && h != "" {
			out.Title = h
		}
		out.Cells = append(out.Cells, made)
	}
	return t.Execute(w, out)
}

// cell is a cell in the form in which the page shows it.
type cell struct {
	Text    template.HTML // text of a Markdown cell
	Code    string        // source of a code cell
	Outputs []output
}

// output is one output of a cell: HTML, or plain text, such as an error.
type output struct {
	HTML  template.HTML
	Text  string
	Error bool
}

func of(c ipynb.Cell) (cell, error) {
	switch c.Type {
	case "markdown":
		text, err := markdown.HTML(string(c.Source))
		return cell{Text: text}, err
	case "raw":
		return cell{Outputs: []output{{Text: string(c.Source)}}}, nil
	}
	made := cell{Code: strings.TrimRight(string(c.Source), "\n")}
	for _, o := range c.Outputs {
		shown, err := shown(o)
		if err != nil {
			return made, err
		}
		if last := len(made.Outputs) - 1; last >= 0 && o.Type == "stream" && made.Outputs[last].Text != "" &&
			made.Outputs[last].Error == shown.Error {
			made.Outputs[last].Text += shown.Text
			continue
		}
		if shown != (output{}) {
			made.Outputs = append(made.Outputs, shown)
		}
	}
	return made, nil
}

// shown converts an output to HTML if the output has HTML or Markdown, and to plain text otherwise.
func shown(o ipynb.Output) (output, error) {
	switch o.Type {
	case "stream":
		return output{Text: ipynb.Plain(string(o.Text)), Error: o.Name == "stderr"}, nil
	case "error":
		text := o.ErrorName + ": " + o.Error + "\n" + strings.Join(o.Traceback, "\n")
		return output{Text: ipynb.Plain(text), Error: true}, nil
	}
	if h := o.HTML(); h != "" {
		return output{HTML: template.HTML(h)}, nil
	}
	if m := o.Of("text/markdown"); m != "" {
		text, err := markdown.HTML(m)
		return output{HTML: text}, err
	}
	return output{Text: ipynb.Plain(o.Of("text/plain"))}, nil
}

// heading returns the text of a heading of level 1 in the first line of a Markdown text, or "".
func heading(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	if h, ok := strings.CutPrefix(line, "# "); ok {
		return strings.TrimSpace(h)
	}
	return ""
}
