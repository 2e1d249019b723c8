// Package markdown converts Markdown with formulas to HTML. The formulas become MathML, so that a page needs no script
// and no network.
//
//	html, err := markdown.HTML("A gap of $10^{-3}$.")
package markdown

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strings"

	"github.com/wyatt915/treeblood"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	render "github.com/yuin/goldmark/renderer/html"
)

// HTML converts Markdown to HTML, with its formulas ($…$ and $$…$$) as MathML. Headings have ids. It first replaces the
// formulas by marks, because Markdown would interpret their underscores and backslashes.
func HTML(text string) (template.HTML, error) {
	const mark = "\uE000%d\uE001" // stands for a formula; no text contains this private-use character
	var formulas []string
	var failed error
	// A formula in a line does not begin with a space and has no empty line, so an amount such as "3 $" begins none.
	text = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`|\\$\\$.+?\\$\\$|\\$[^$`\\s](?:[^$`\n]|\n[^$`\n])*\\$").
		ReplaceAllStringFunc(text, func(s string) string {
			if s[0] == '`' {
				return s
			}
			tex, display := strings.CutPrefix(s, "$$")
			math, err := formula(strings.Trim(tex, "$"), display)
			if err != nil {
				failed = err
				return s
			}
			formulas = append(formulas, math)
			return fmt.Sprintf(mark, len(formulas)-1)
		})
	if failed != nil {
		return "", failed
	}
	var b bytes.Buffer
	if err := goldmark.New(goldmark.WithExtensions(extension.GFM), goldmark.WithRendererOptions(render.WithUnsafe()),
		goldmark.WithParserOptions(parser.WithAutoHeadingID())).Convert([]byte(text), &b); err != nil {
		return "", err
	}
	out := b.String()
	for i, math := range formulas {
		out = strings.Replace(out, fmt.Sprintf(mark, i), math, 1)
	}
	return template.HTML(out), nil
}

// formula converts a TeX formula to MathML.
func formula(tex string, display bool) (string, error) {
	math, err := treeblood.TexToMML(tex, map[string]string{}, display, display)
	if err != nil {
		return "", fmt.Errorf("formula %s: %w", html.EscapeString(tex), err)
	}
	return math, nil
}
