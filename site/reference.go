package main

import (
	"fmt"
	"go/doc/comment"
	"html"
	"html/template"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/gaplab/gaplab"
	"github.com/gaplab/gaplab/catalogue"
)

// part is a solver or a model that a spec can name.
type part struct {
	name, about string
	kind        reflect.Type // the type that implements it
}

// solverParts returns all solvers, and modelParts all models, in the order of the catalogue.
func solverParts() []part {
	var all []part
	for _, e := range catalogue.Solvers() {
		all = append(all, part{e.Name, e.About, reflect.TypeOf(e.New()).Elem()})
	}
	return all
}

func modelParts() []part {
	var all []part
	for _, e := range catalogue.Models() {
		all = append(all, part{e.Name, e.About, reflect.TypeOf(e.New()).Elem()})
	}
	return all
}

// reference returns a page about parts, from the comments of their types in the repository in the folder root. settings
// is the link to the table of their settings.
func reference(root, title, settings string, parts []part) (template.HTML, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1 id=\"top\">%s</h1>\n<p>The comments of the code. The settings are in <a href=\"%s\">the "+
		"reference of specs</a>.</p>\n", title, settings)
	for _, p := range parts {
		text, err := documented(root, p.kind)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "<h2 id=\"%s\">%s</h2>\n<p>%s.</p>\n%s", p.name, p.name, inline(html.EscapeString(upper(p.about))),
			blocks(text))
	}
	return template.HTML(b.String()), nil
}

// upper returns a text that begins with a capital letter, unless it begins with the name of a solver.
func upper(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if strings.HasSuffix(first, ",") || first == "dcd" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// documented returns the comment of a type of this module.
func documented(root string, kind reflect.Type) (string, error) {
	folder := filepath.Join(root, filepath.FromSlash(strings.TrimPrefix(kind.PkgPath(), gaplab.Module+"/")))
	found, err := declared(folder)
	if err != nil {
		return "", err
	}
	text := found[kind.Name()].comment
	if text == "" {
		return "", fmt.Errorf("%s: type %s has no comment", folder, kind.Name())
	}
	return text, nil
}

// blocks returns the HTML of a comment. Indented lines are formulas, unless they begin like YAML.
func blocks(text string) string {
	yaml := regexp.MustCompile(`^\s*[a-z_]+:(\s|$)`)
	parsed := new(comment.Parser).Parse(text)
	printer := &comment.Printer{HeadingLevel: 3, DocLinkURL: func(*comment.DocLink) string { return "" }}
	var b strings.Builder
	for _, block := range parsed.Content {
		code, ok := block.(*comment.Code)
		switch {
		case !ok:
			one := &comment.Doc{Content: []comment.Block{block}, Links: parsed.Links}
			b.WriteString(inline(string(printer.HTML(one))))
		case yaml.MatchString(code.Text):
			fmt.Fprintf(&b, "<pre><code>%s</code></pre>\n", html.EscapeString(code.Text))
		default:
			b.WriteString(formulas(code.Text) + "\n")
		}
	}
	return b.String()
}
