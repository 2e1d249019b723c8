package mutation

import (
	"fmt"
	"slices"
	"strings"
)

// Bar is the share of the bugs that change results which go test or the gate must catch.
const Bar = 0.95

// Caught says whether go test or the gate, or what is before them, catches a bug.
func (r Result) Caught() bool { return r.Net != "" && r.Net != "claims" }

// Share is that of the bugs that change results which are caught, of those with a result.
func Share(bugs []Bug, results map[string]Result) (caught, of int) {
	for _, b := range bugs {
		if r, ok := results[b.ID]; ok && b.Results {
			of++
			if r.Caught() {
				caught++
			}
		}
	}
	return caught, of
}

// Page is docs/PLANTED.md: which net caught which bug first, and which bugs none did.
func Page(bugs []Bug, results map[string]Result) string {
	var p strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&p, format+"\n", args...) }
	line("# Planted bugs")
	line("")
	line("How well do the nets catch a wrong change? Each bug was planted by itself in a copy of the module, and the nets")
	line("were cast in the order of their cost until one caught it that passes without the bug. The bugs are in")
	line("`internal/mutation/bugs.yaml`; a test says when their code has moved. This page is written by")
	line("`go run ./internal/mutation/plant`, which plants what is new or has changed; with `-renew`, as in")
	line("`.ci/nightly`, it plants all again. No net has the real data sets.")
	line("")
	caught, of := Share(bugs, results)
	line("Of the %d bugs that change results, go test or the gate catches %d: %.1f %%. A test wants at least %.0f %%.", of,
		caught, 100*float64(caught)/float64(max(1, of)), 100*Bar)
	line("")
	counts(line, bugs, results)
	line("")
	survivors(line, bugs, results)
	line("## All of them")
	line("")
	line("| bug | what is wrong | net | what caught it |")
	line("| --- | --- | --- | --- |")
	for _, class := range Classes() {
		for _, b := range ofClass(bugs, class) {
			line("| `%s` | %s | %s | %s |", b.ID, cell(b.Wrong), outcomeOf(b, results), cell(results[b.ID].By))
		}
	}
	return p.String()
}

// counts is the table of classes against nets.
func counts(line func(string, ...any), bugs []Bug, results map[string]Result) {
	head, rule := "| net |", "| --- |"
	for _, class := range Classes() {
		head, rule = head+" "+class+" |", rule+" ---: |"
	}
	line("%s all | of them change results |", head)
	line("%s ---: | ---: |", rule)
	row := func(name string, has func(Bug) bool) {
		text, all, change := "| "+name+" |", 0, 0
		for _, class := range Classes() {
			n := 0
			for _, b := range ofClass(bugs, class) {
				if has(b) {
					n++
					if b.Results {
						change++
					}
				}
			}
			text, all = fmt.Sprintf("%s %s |", text, blank(n)), all+n
		}
		line("%s %d | %d |", text, all, change)
	}
	for _, net := range Nets() {
		row(net.Name+": "+net.About, func(b Bug) bool { return results[b.ID].Net == net.Name })
	}
	row("none", func(b Bug) bool { r, ok := results[b.ID]; return ok && r.Net == "" })
	if slices.ContainsFunc(bugs, func(b Bug) bool { _, ok := results[b.ID]; return !ok }) {
		row("not planted yet", func(b Bug) bool { _, ok := results[b.ID]; return !ok })
	}
	row("all", func(Bug) bool { return true })
}

// survivors lists the bugs that go test and the gate let pass, with the reason.
func survivors(line func(string, ...any), bugs []Bug, results map[string]Result) {
	some := false
	for _, b := range bugs {
		if r, ok := results[b.ID]; !ok || r.Caught() {
			continue
		}
		if !some {
			line("## What go test and the gate let pass")
			line("")
			some = true
		}
		why := b.Survives
		if why == "" {
			why = "no reason is known: a test is missing"
		}
		line("- `%s`: %s. %s.", b.ID, b.Wrong, strings.ToUpper(why[:1])+why[1:])
	}
	if some {
		line("")
	}
}

// ofClass are the bugs of one class.
func ofClass(bugs []Bug, class string) []Bug {
	return slices.DeleteFunc(slices.Clone(bugs), func(b Bug) bool { return b.Class != class })
}

func outcomeOf(b Bug, results map[string]Result) string {
	switch r, ok := results[b.ID]; {
	case !ok:
		return "not planted yet"
	case r.Net == "":
		return "none"
	default:
		return r.Net
	}
}

// blank is a count, or nothing for 0.
func blank(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprint(n)
}

// cell keeps a text within a cell of a table.
func cell(text string) string {
	if runes := []rune(text); len(runes) > 100 {
		text = string(runes[:100]) + "…"
	}
	return strings.ReplaceAll(text, "|", `\|`)
}
