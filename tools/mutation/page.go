package main

import (
	"fmt"
	"slices"
	"strings"
)

// bar is the smallest accepted share of bugs that go test or the gate catches, among the bugs that change results.
const bar = 0.95

// share returns two numbers of planted bugs that change results: how many of them are caught (caught), and how many
// there are (of).
func share(bugs []bug, results map[string]result) (caught, of int) {
	for _, b := range bugs {
		if r, ok := results[b.ID]; ok && b.Results {
			of++
			if r.caught() {
				caught++
			}
		}
	}
	return caught, of
}

// pageOf returns the text of docs/PLANTED.md: the first check that caught each bug, and the bugs that no check caught.
func pageOf(bugs []bug, results map[string]result) string {
	var p strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&p, format+"\n", args...) }
	line("# Planted bugs")
	line("")
	line("How well do the tests and the gate catch a wrong change? Each bug was planted alone in a copy of the checkout.")
	line("Then the checks ran, the cheapest first, until one failed that passes without the bug. The bugs are in")
	line("`tools/mutation/bugs.yaml`. `go test .` fails if the code that a bug replaces is no longer there. The command")
	line("`go -C tools/mutation run .` plants the bugs that are new or have changed, and writes this page. With `-renew`,")
	line("as in `.ci/nightly`, it then plants all other bugs again. No check uses the real data sets.")
	line("")
	caught, of := share(bugs, results)
	line("Of the %d bugs that change results, go test or the gate catches %d: %.1f %%. A test requires at least %.0f %%.",
		of, caught, 100*float64(caught)/float64(max(1, of)), 100*bar)
	line("")
	countTable(line, bugs, results)
	line("")
	survivors(line, bugs, results)
	rounds(line)
	line("## All bugs")
	line("")
	line("| bug | what is wrong | check | what caught it |")
	line("| --- | --- | --- | --- |")
	for _, class := range classes() {
		for _, b := range ofClass(bugs, class) {
			line("| `%s` | %s | %s | %s |", b.ID, cell(b.Wrong), outcomeOf(b, results), cell(results[b.ID].By))
		}
	}
	return p.String()
}

// countTable writes a table with the number of bugs in each class that each check caught.
func countTable(line func(string, ...any), bugs []bug, results map[string]result) {
	head, rule := "| check |", "| --- |"
	for _, class := range classes() {
		head, rule = head+" "+class+" |", rule+" ---: |"
	}
	line("%s all | change results |", head)
	line("%s ---: | ---: |", rule)
	row := func(name string, has func(bug) bool) {
		text, all, change := "| "+name+" |", 0, 0
		for _, class := range classes() {
			n := 0
			for _, b := range ofClass(bugs, class) {
				if has(b) {
					n++
					if b.Results {
						change++
					}
				}
			}
			count := ""
			if n > 0 {
				count = fmt.Sprint(n)
			}
			text, all = text+" "+count+" |", all+n
		}
		line("%s %d | %d |", text, all, change)
	}
	for _, c := range checks() {
		row(c.name+": "+c.about, func(b bug) bool { return results[b.ID].Check == c.name })
	}
	row("none", func(b bug) bool { r, ok := results[b.ID]; return ok && r.Check == "" })
	if slices.ContainsFunc(bugs, func(b bug) bool { _, ok := results[b.ID]; return !ok }) {
		row("not planted yet", func(b bug) bool { _, ok := results[b.ID]; return !ok })
	}
	row("all", func(bug) bool { return true })
}

// survivors lists the bugs that neither go test nor the gate catches, with the reasons why they need not be caught.
func survivors(line func(string, ...any), bugs []bug, results map[string]result) {
	some := false
	for _, b := range bugs {
		if r, ok := results[b.ID]; !ok || r.caught() {
			continue
		}
		if !some {
			line("## Bugs that go test and the gate do not catch")
			line("")
			some = true
		}
		why := b.Survives
		if why == "" {
			why = "bugs.yaml gives no reason: a test is missing"
		}
		line("- `%s`: %s. %s.", b.ID, b.Wrong, strings.ToUpper(why[:1])+why[1:])
	}
	if some {
		line("")
	}
}

// rounds writes a table of the rounds in which bugs were planted in functions that were chosen at random. The bugs that
// survived a round are in bugs.yaml since then, so the shares of all bugs above are larger.
func rounds(line func(string, ...any)) {
	line("## Rounds of random bugs")
	line("")
	line("Now and then, functions of more than six lines are chosen at random, and one bug is planted in each, before")
	line("anybody looks at their tests. A third of the bugs remove a line or a condition, a third swap arguments, signs")
	line("or bounds, and a third change a meaning. The table shows what caught the bugs that change results, with the")
	line("tests of that day. The bugs that survived are in the list below, with the tests that were written for them.")
	line("")
	line("| round | seed | bugs | own package | importing packages | gate | none |")
	line("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
	line("| November 2026, first | not kept | 27 | 17 in all |  | not tried | 10 |")
	line("| November 2026, second | not kept | 31 | 26 in all |  | not tried | 5 |")
	line("| 27 November 2026 | PCG(7135035, 35) | 30 | 18 | 2 | 0, of `bethe` only | 10 |")
	line("| 27 November 2026, evening | PCG(2711, 1127) | 27 | 19 | 2 | 1 | 5 |")
	line("| 28 November 2026 | PCG(1127, 2811) | 34 | 24 | 2 | 0 | 8 |")
	line("| 28 November 2026, the same draw continued | PCG(1127, 2811) | 21 | 16 | 2 | 0 | 3 |")
	line("| 28 November 2026, second | PCG(2811, 5) | 30 | 25 | 3 | 0 | 2 |")
	line("| 28 November 2026, third | PCG(1127, 2811): 6, PCG(2811, 4): 24 | 30 | 24 | 1 | 1 | 4 |")
	line("| 28 November 2026, fourth | PCG(2811, 6) | 30 | 16 | 7 | 0 | 7 |")
	line("| 28 November 2026, fifth | PCG(2811, 7) and PCG(2811, 8), 15 each | 30 | 17 | 6 | 0 | 7 |")
	line("| 28 November 2026, sixth | PCG(2811, 9) and PCG(2811, 10), 15 each | 30 | 17 | 7 | 0 | 6 |")
	line("| 28 November 2026, at random places | PCG(2811, 11) and PCG(2811, 12), 15 each | 30 | 27 | 3 | 0 | 0 |")
	line("")
	line("In the rounds up to the sixth, the author chose where in the function the bug was, and looked for a place")
	line("where it is hard to notice. In the last round the statement and the kind of the bug were drawn too, and the")
	line("author made the likeliest mistake of that kind there; if the kind was impossible, the next kind was taken.")
	line("The first rounds show what somebody can hide who wants to, the last one the risk of a slip.")
	line("")
}

// ofClass returns the bugs of one class.
func ofClass(bugs []bug, class string) []bug {
	return slices.DeleteFunc(slices.Clone(bugs), func(b bug) bool { return b.Class != class })
}

// outcomeOf returns the name of the check that caught a bug.
func outcomeOf(b bug, results map[string]result) string {
	switch r, ok := results[b.ID]; {
	case !ok:
		return "not planted yet"
	case r.Check == "":
		return "none"
	default:
		return r.Check
	}
}

// cell shortens a text to 100 characters and escapes it for a cell of a Markdown table.
func cell(text string) string {
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:100]) + "…"
	}
	return strings.ReplaceAll(text, "|", `\|`)
}
