package lang

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestEveryExpressionIsChecked checks that each expression of a spec is checked as an expression of its own kind, that
// its error has the path of the expression, and that one text may be right as one kind and wrong as another.
func TestEveryExpressionIsChecked(t *testing.T) {

	spec := base + `
table: {rows: C, columns: [passes], where: w < 1}
claims: [{id: c1, says: a, assert: w < 1, measure: w < 1}, {id: c2, says: a, assert: w < 1, measure: w < 1}]
figure: FIGURE
`
	const claims = " claims.0.assert claims.0.measure claims.1.assert claims.1.measure"
	for figure, paths := range map[string]string{
		"{x: passes, y: dual, where: w < 1, bound: w < 1, series: [{of: eg}, {of: sgd, where: w < 1}]}": "figure.bound " +
			"figure.series.1.where figure.where table.where",
		"{x: passes, y: dual, panels: [{where: w < 1}, {bound: w < 1, series: [{where: w < 1}, {where: w < 1}]}]}": "" +
			"figure.panels.0.where figure.panels.1.bound figure.panels.1.series.0.where " +
			"figure.panels.1.series.1.where table.where",
	} {
		want := strings.Fields(paths + claims)
		for _, refused := range []string{"", "where", "assert", "measure", "bound"} {
			c, calls := toy(), map[string]int{}
			c.CheckExpr = func(kind, text string) error {
				calls[kind+": "+text]++
				if kind == refused {
					return errors.New("  refused ")
				}
				return nil
			}
			parser := &Parser{catalogue: c, forms: toyParser(t).forms}
			_, err := parser.Parse("b.yaml", []byte(strings.Replace(spec, "FIGURE", figure, 1)))
			got := map[string]bool{}
			for line := range strings.Lines(fmt.Sprint(err)) {
				if parts := strings.Split(strings.TrimSpace(line), ": "); len(parts) == 3 && parts[2] == "refused" {
					got[parts[1]] = true
				}
			}
			for _, path := range want {
				if is := strings.HasSuffix(path, "."+refused); got[path] != is {
					t.Errorf("%s refused in %s: fault %v of %s, want %v", refused, figure, got[path], path, is)
				}
				delete(got, path)
			}
			if len(got) > 0 || (err != nil) != (refused != "") {
				t.Errorf("%s refused: the error is %v", refused, err)
			}
			for call, n := range calls {
				if n != 1 || !strings.HasSuffix(call, ": w < 1") {
					t.Errorf("%q is checked %d times, want once for all scales", call, n)
				}
			}
			if kinds := fmt.Sprint(slices.Sorted(maps.Keys(calls))); kinds !=
				"[assert: w < 1 bound: w < 1 measure: w < 1 where: w < 1]" {
				t.Errorf("checked are %s", kinds)
			}
		}
	}
}
