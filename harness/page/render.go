package page

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"text/template"

	"github.com/gaplab/gaplab/harness/claims"
)

// Render returns the text of a page. An error names the page and its line, the experiment and the expression.
func Render(name, text string, source Source) (string, error) {
	p := &rendering{source: source}
	t, err := template.New(name).Option("missingkey=error").Funcs(p.functions()).Parse(text)
	if err != nil {
		return "", errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	var out strings.Builder
	if err := t.Execute(&out, nil); err != nil {
		return "", located(err)
	}
	return fill(out.String()), nil
}

// functions returns the functions that a page may call; the comment of package page describes them.
func (p *rendering) functions() template.FuncMap {
	verdict := func(want claims.Outcome) func(id string) (string, error) {
		return func(id string) (string, error) { return p.verdict(id, want) }
	}
	return template.FuncMap{
		"scale":         func(name string) string { p.scale = name; return "" },
		"on":            p.on,
		"value":         func(format, expression string) (string, error) { return p.value(format, expression, ", ") },
		"cells":         func(format, expression string) (string, error) { return p.value(format, expression, " | ") },
		"measured":      p.measured,
		"holds":         p.holds,
		"table":         p.table,
		"claims":        p.claims,
		"claim":         p.claim,
		"reproduced":    verdict(claims.Reproduced),
		"notReproduced": verdict(claims.NotReproduced),
		"tie":           verdict(claims.Tie),
		"notTestable":   verdict(claims.NotTestable),
		"notMeasured":   verdict(claims.NotMeasured),
		"number":        numbers,
		"list":          func(elements ...any) []any { return elements },
		"runs":          p.runs,
		"papers":        func() []Paper { return p.source.Papers },
	}
}

// position matches the position at the start of an error of text/template: name:line, then the column.
var position = regexp.MustCompile(`^template: (.*?:\d+):\d+: `)

// located shortens an error of text/template to the file, the line, and the error of the function.
func located(err error) error {
	m := position.FindStringSubmatch(err.Error())
	var own *fault
	if m == nil || !errors.As(err, &own) {
		return errors.New(strings.TrimPrefix(err.Error(), "template: "))
	}
	return fmt.Errorf("%s: %w", m[1], own)
}
