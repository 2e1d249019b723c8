//go:build linux

package faults

import (
	"fmt"
	"strings"
)

const small = `apiVersion: gaplab/v1
id: my/spec
dataset: {name: digits, train: 60}
model: {name: multiclass, loss: hinge}
regularisation: {convention: lambda, lambda: 0.01}
solvers: [{name: dcd}]
stop: {passes: 2}
`

// specs returns the faults of specs that would need much time or memory, read files outside their folder, or run a
// program.
func specs() []fault {
	refused := func(message string, edit func(spec string) string) func(*gaplab, int) (string, error) {
		return func(g *gaplab, _ int) (string, error) {
			g.file("spec.yaml", edit(small))
			return g.refused(2, message, "run", "spec.yaml")
		}
	}
	with := func(old, text string) func(string) string {
		return func(spec string) string { return strings.Replace(spec, old, text, 1) }
	}
	return []fault{
		{what: "a grid of a billion runs", few: 1, tries: 3,
			make: refused("more than 100000 runs", func(spec string) string {
				var lambdas, seeds, solvers []string
				for i := range 1000 {
					lambdas = append(lambdas, fmt.Sprint(float64(i+1)/1000))
					seeds = append(seeds, fmt.Sprint(i+1))
					solvers = append(solvers, fmt.Sprintf("{name: dcd, as: d%d}", i))
				}
				spec = with("lambda: 0.01", "lambda: ["+strings.Join(lambdas, ", ")+"]")(spec)
				spec = with("{name: dcd}", strings.Join(solvers, ", "))(spec)
				return spec + "seeds: [" + strings.Join(seeds, ", ") + "]\n"
			})},
		{what: "two solvers with 99,999 seeds each", few: 1, tries: 3,
			make: refused("more than 100000 runs", func(spec string) string {
				var seeds []string
				for i := range 99_999 {
					seeds = append(seeds, fmt.Sprint(i+1))
				}
				list := strings.Join(seeds, ", ")
				return with("{name: dcd}", fmt.Sprintf("{name: dcd, seeds: [%s]}, {name: smo, seeds: [%s]}", list, list))(spec)
			})},
		{what: "a title of 20 MB", few: 1, tries: 3,
			make: refused("accepted: at most 8388608", func(spec string) string {
				return spec + "title: " + strings.Repeat("x", 20_000_000) + "\n"
			})},
		{what: "a title of 4 MB", few: 1, tries: 3,
			make: refused("at most 500", func(spec string) string {
				return spec + "title: " + strings.Repeat("x", 4_000_000) + "\n"
			})},
		{what: "an id of 400 characters", few: 1, tries: 3,
			make: refused("at most 200", with("my/spec", "my/"+strings.Repeat("i", 397)))},
		{what: "20,000 unknown keys", few: 1, tries: 3,
			make: refused("19950 more faults", func(spec string) string {
				var b strings.Builder
				for i := range 20_000 {
					fmt.Fprintf(&b, "key%d: 1\n", i)
				}
				return spec + b.String()
			})},
		{what: "anchors that would grow to a billion items", few: 1, tries: 3,
			make: refused("anchors and aliases are not supported", func(spec string) string {
				text := "a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n"
				for c := 'b'; c < 'j'; c++ {
					one := fmt.Sprintf("*%c", c-1)
					text += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.Repeat(one+", ", 9)+one)
				}
				return spec + text + "seeds: *i\n"
			})},
		{what: "an expression of 800 billion steps", few: 1, tries: 3,
			make: refused("spec.yaml:8: claims.0.assert: the expression needs more than", func(spec string) string {
				return spec + "claims: [{id: c, says: x, assert: 'let x = 1..900000; count(x, count(x, true) > 0) > 0'}]\n"
			})},
		{what: "an expression of a million parentheses", few: 1, tries: 3,
			make: refused("spec.yaml:8: figure.y: the expression has 1000000 characters", func(spec string) string {
				return spec + "figure: {x: passes, y: '" + strings.Repeat("(", 1_000_000) + "'}\n"
			})},
		{what: "a short expression whose tree would grow to a trillion nodes", few: 1, tries: 3,
			make: refused("spec.yaml:8: figure.y: the expression has more than 10000", func(spec string) string {
				return spec + "figure: {x: passes, y: '" + strings.Repeat("(1 < ", 40) + "1" + strings.Repeat(" < 1)", 40) + "'}\n"
			})},
		{what: "printed numbers in a file outside the spec's folder", few: 1, tries: 3,
			make: refused("path escapes|below the folder", func(spec string) string {
				return spec + "table: {rows: as, columns: [final.primal], printed: ../../../../../../etc/passwd}\n"
			})},
		{what: "a spec that runs a program, without the user's permission", few: 1, tries: 3,
			make: refused("runs a program of this machine", with("{name: dcd}",
				`{name: external, command: [touch, "{data}", "{model}"]}`))},
	}
}
