package typeset

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
)

// TestRuns checks how lines are split into normal text, superscripts and subscripts.
func TestRuns(t *testing.T) {
	up := func(s string) Run { return Run{s, scriptSize, scriptUp} }
	down := func(s string) Run { return Run{s, scriptSize, -scriptDown} }
	for _, c := range []struct {
		text string
		want []Run
	}{
		{"", nil},
		{"L-BFGS", []Run{{"L-BFGS", 1, 0}}},
		{"10^{-3}", []Run{{"10", 1, 0}, up("−3")}},
		{"η_{0} = 10^{2} (first)", []Run{{"η", 1, 0}, down("0"), {" = 10", 1, 0}, up("2"), {" (first)", 1, 0}}},
		{"η₀ = 1", []Run{{"η", 1, 0}, down("0"), {" = 1", 1, 0}}},
		{"a_b ^ 10^2", []Run{{"a_b ^ 10^2", 1, 0}}},
		{"open ^{2", []Run{{"open ^{2", 1, 0}}},
		{"x^{}", []Run{{"x", 1, 0}}},
		{"tab\there \xff", []Run{{"tab here \uFFFD", 1, 0}}},
	} {
		if d := cmp.Diff(c.want, Runs(c.text)); d != "" {
			t.Errorf("Runs(%q) differs (-want +got):\n%s", c.text, d)
		}
	}
}

// TestWrapAndShorten checks how texts are wrapped, divided into lines of similar length, and shortened.
func TestWrapAndShorten(t *testing.T) {
	sty := text.Style{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10},
		Handler: Handler{Fonts: font.NewCache(liberation.Collection())}}
	wide := sty.Width("one two three")
	for s, want := range map[string]string{
		"":                             "",
		"one":                          "one",
		"one two three":                "one two three",
		"one  two\nthree four":         "one two three\nfour",
		"one two C = 10":               "one two\nC = 10",
		"incomprehensibilities of all": "incomprehensibilities\nof all",
	} {
		if got := Wrap(s, sty, wide); got != want {
			t.Errorf("Wrap(%q) = %q, want %q", s, got, want)
		}
	}
	for s, want := range map[string]string{
		"one two three":      "one two three",
		"one two three four": "one two\nthree four",
		"one two three (%)":  "one two\nthree (%)",
	} {
		if got := Balance(s, sty, wide); got != want {
			t.Errorf("Balance(%q) = %q, want %q", s, got, want)
		}
	}
	for _, s := range []string{"one-slack with a cache (1)", "one-slack with a cache (2)"} {
		got := Shorten(s, sty, wide)
		if sty.Width(got) > wide || !strings.HasPrefix(got, "one") || !strings.HasSuffix(got, s[len(s)-3:]) {
			t.Errorf("Shorten(%q) = %q, want it narrower, with the same beginning and end", s, got)
		}
	}
}
