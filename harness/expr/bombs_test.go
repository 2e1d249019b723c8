package expr_test

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/gaplab/gaplab/harness/expr"
	"github.com/gaplab/gaplab/internal/machine"
)

// bomb is an expression that would need much time or memory.
type bomb struct{ name, text, want string }

const (
	few      = "the expression needs more than 100000 steps; accepted: at most 100000"
	steps    = "the expression needs more than 20000000 steps; accepted: at most 20000000"
	elements = "the expression makes lists of more than 1000000 elements in all; accepted: at most 1000000"
	memory   = "the expression makes lists of more than 64 MB; accepted: at most 64 MB"
	nodes    = "the expression has more than 10000 names, constants and operators; accepted: at most 10000"
)

// doubled returns an expression with n + 1 variables. The first has the value first. Each other one has the value item,
// in which x is the variable before it, such as [x, x].
func doubled(n int, first, item string) string {
	text := "let a0 = " + first + "; "
	for i := range n {
		text += fmt.Sprintf("let a%d = %s; ", i+1, strings.ReplaceAll(item, "x", fmt.Sprintf("a%d", i)))
	}
	return text + fmt.Sprintf("a%d", n)
}

// bombs returns expressions that must be refused.
func bombs() []bomb {
	chain := "1"
	for range 40 {
		chain = "(1 < " + chain + " < 1)"
	}
	text := fmt.Sprintf("%q contains %q", strings.Repeat("ab", 6_000), strings.Repeat("ab", 3_000)+"b")
	return []bomb{
		{"parentheses", strings.Repeat("(", 1_000_000), "the expression has 1000000 characters; accepted: at most 20000"},
		{"brackets", strings.Repeat("[", 19_999), "ends too early"},
		{"minus signs", strings.Repeat("-", 19_999) + "1", nodes},
		{"negations", strings.Repeat("!", 19_000) + "true", nodes},
		{"powers", strings.Repeat("2^", 9_900) + "2", nodes},
		{"variables", strings.Repeat("let a = 1;", 1_900) + "a", `"a" is a variable already`},
		{"conditions", strings.Repeat("1<2?1:", 3_300) + "1", nodes},
		{"a long map", "{" + strings.Repeat("a:1,", 4_900) + "a:1}", nodes},
		{"chains of comparisons", chain, nodes},
		{"chains with a wrong operator", chain + "?.a", nodes},
		{"a range", "1..1000000000000", elements},
		{"map over map", "map(1..1000000, map(1..1000000, 1))", elements},
		{"map over map of few", "map(1..2000, map(1..2000, 1))", few},
		{"counts of counts", "let x = 1..900000; count(x, count(x, true) > 0)", few},
		{"counts with long bodies", "count(1..900000, " + strings.Repeat("true and ", 2_200) + "true)", few},
		{"comparisons of long texts", "count(1..400000, " + text + ")", few},
		{"sums of sums", "let x = 1..90000; sum(map(1..9000, sum(x)))", few},
		{"searches", "let x = 1..90000; count(x, -1 in x)", few},
		{"curves of curves", "count(1..900000, len(curves({as: \"eg\"})) > 0)", few},
		{"selectors", "let x = 1..900000; len(curves({C: x}, curves({as: \"eg\"})))", few},
		{"positions", "let x = 1..40000; count(1..10000, sum(at(curve({as: \"eg\", C: 10}), \"primal\", x)) > 0)", few},
		{"crossings", `let a = curve({as: "eg", C: 10}); count(1..90000, cross(a, a, "primal") > 0)`, few},
		{"windows", `let a = curve({as: "eg", C: 10}); count(1..90000, len(window(a, "primal", 0, 9)) > 0)`, few},
		{"printed tables", `count(1..900000, len(printed("tab.csv")) > 0)`, few},
		{"warnings", `let a = curve({as: "sgd"}); map(1..30000, reach(a, "primal", -#))`, few},
		{"fits", "let x = 1..40000; count(1..400, fit(x, x).slope > 0)", few},
		{"ranks", "let x = 1..40000; count(1..400, spearman(x, x) > 0)", few},
	}
}

// TestArgumentsAreWork checks that a call counts the elements of its arguments as work: two calls on a list are refused
// under a limit that the list and one call keep.
func TestArgumentsAreWork(t *testing.T) {
	for _, call := range []string{"sum(x)", "mean(x)", "min(x)", "max(x)", "std(x)", "median(x)", "argmin(x, x)",
		"abs(x)"} {
		under := func(limit int, text string) error {
			e := expr.NewEvaluation(evidence())
			e.Limit(limit)
			_, err := e.Values("let x = 1..900; " + text)
			return err
		}
		if err := under(100_000, "["+call+", "+call+"]"); err != nil {
			t.Errorf("%s twice, with a large limit: %v", call, err)
		}
		least := sort.Search(100_000, func(limit int) bool { return under(limit, call) == nil })
		if err := under(least+800, "["+call+", "+call+"]"); err == nil {
			t.Errorf("%s needs %d steps, twice at most 800 more; want at least one for each element", call, least)
		}
	}
}

// TestBombs checks that an expression that would need much time or memory is refused soon, with a message that states
// the bound, and with little memory.
func TestBombs(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and these expressions go to the bounds of steps and memory")
	}
	on := evidence()
	for _, b := range bombs() {
		for _, how := range []func(*expr.Evaluation) error{
			func(e *expr.Evaluation) error { _, err := e.Measure(b.text); return err },
			func(e *expr.Evaluation) error { _, err := e.Assert(b.text); return err },
		} {
			refuses(t, b.name, b.want, func() error {
				e := expr.NewEvaluation(on)
				e.Limit(100_000)
				return how(e)
			})
		}
	}
	values := func(text string) func() error {
		return func() error { _, err := expr.NewEvaluation(on).Values(text); return err }
	}
	refuses(t, "the bound on steps", steps, values("let x = 1..900000; count(x, count(x, true) > 0)"))
	refuses(t, "values of doubled lists", memory, values(doubled(60, "1..8", "[x, x]")))
	refuses(t, "maps", memory, values("map(1..300000, { {a: #} })"))
	refuses(t, "observations", memory, func() error {
		_, err := expr.NewEvaluation(on).Assert("all(1..150000, # > 0 and # > 0 and # > 0)")
		return err
	})
	refuses(t, "a table of lists that are the same", memory, func() error {
		_, _, err := expr.NewEvaluation(on).Tabulate("let x = 1..400000; map(1..1000, x)")
		return err
	})
	refuses(t, "a filter", "where: "+elements,
		func() error { _, err := expr.Filter("1..1000000", on.Set); return err })
	refuses(t, "an axis", elements, func() error {
		_, err := expr.Axis("1..1000000", on.Set.Curves[0], on.Set)
		return err
	})
}

// TestShortTextsOfLargeValues checks that values with billions of elements, in which the same list occurs many times,
// are formatted as short texts.
func TestShortTextsOfLargeValues(t *testing.T) {
	for _, item := range []string{"[x, x, x, x, x, x, x]", "{a: x, b: x}", "[{a: x}, x]"} {
		refuses(t, item, "", func() error {
			text, err := expr.NewEvaluation(evidence()).Measure(doubled(60, "[1]", item))
			if len(text) > 50_000 {
				err = fmt.Errorf("a text of %d bytes", len(text))
			}
			return err
		})
	}
}

// clock returns the CPU time of this process or, on a system without such a clock, the time since begun.
func clock(begun time.Time) time.Duration {
	if cpu, ok := machine.Process(); ok || begun.IsZero() {
		return cpu
	}
	return time.Since(begun)
}

// refuses checks that a function returns an error with the text want, or none if want is "", in less than 200 MB of
// memory and ten seconds of CPU time. On a busy machine, wall-clock time shows how long others compute.
func refuses(t *testing.T, name, want string, f func() error) {
	t.Helper()
	runtime.GC()
	stop, peak := make(chan bool), make(chan uint64)
	go func() {
		most := uint64(0)
		for {
			select {
			case <-stop:
				peak <- most
				return
			case <-time.After(time.Millisecond):
				s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
				metrics.Read(s)
				most = max(most, s[0].Value.Uint64()+s[1].Value.Uint64())
			}
		}
	}()
	begun, before := time.Now(), clock(time.Time{})
	err := f()
	took := clock(begun) - before
	close(stop)
	used := <-peak
	if used > 200<<20 {
		t.Errorf("%s: used %d MB of memory, want at most 200", name, used>>20)
	}
	if took > 10*time.Second {
		t.Errorf("%s: took %v, want at most 10 s", name, took)
	}
	text := ""
	if err != nil {
		text = err.Error()
	}
	if !strings.Contains(text, want) || want == "" && err != nil {
		t.Errorf("%s: error %.300q, want %q", name, text, want)
	}
	t.Logf("%s: %v, %d MB", name, took, used>>20)
}
