package typeset

import (
	"image/color"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"

	"github.com/gaplab/gaplab/plots/internal/record"
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

// TestShortenIsLongest checks that a shortened text fits, has the first and the last letters of the text with one third
// at the end, and that with one letter more it would not fit.
func TestShortenIsLongest(t *testing.T) {
	sty := text.Style{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10},
		Handler: Handler{Fonts: font.NewCache(liberation.Collection())}}
	s := []rune("η: one-slack with a cache of constraints (2)")
	cut := func(n int) string { return string(s[:n-n/3]) + "…" + string(s[len(s)-n/3:]) }
	for n := 1; n < len(s); n++ {
		width := sty.Width(cut(n))
		if width >= sty.Width(string(s)) {
			continue
		}
		longest := n
		for k := n + 1; k < len(s); k++ {
			if sty.Width(cut(k)) <= width {
				longest = k
			}
		}
		if got := Shorten(string(s), sty, width); got != cut(longest) {
			t.Errorf("width %v: %q, want %q", width, got, cut(longest))
		}
	}
	if got := Shorten(string(s), sty, sty.Width(string(s))); got != string(s) {
		t.Errorf("a text that fits becomes %q", got)
	}
	if got := Shorten(string(s), sty, 1); got != "…" {
		t.Errorf("a text in no space becomes %q, want an ellipsis", got)
	}
}

// TestDrawPlacesRuns checks where the pieces of a text of two lines are drawn, for several alignments and angles: after
// one another, each line aligned by its own width, the second below the first, and scripts shifted.
func TestDrawPlacesRuns(t *testing.T) {
	handler := Handler{Fonts: font.NewCache(liberation.Collection())}
	for _, slim := range []bool{false, true} {
		handler.Slim = slim
		for _, angle := range []float64{0, 0.5, math.Pi / 2} {
			for _, align := range []text.XAlignment{text.XLeft, text.XCenter, text.XRight} {
				sty := text.Style{Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: 10}, Handler: handler,
					XAlign: align, YAlign: text.YBottom, Rotation: angle, Color: color.Black}
				page := record.New()
				handler.Draw(page, "wide 10^{2}\nx_{1}y\n", sty, vg.Point{X: 30, Y: 40})
				if len(page.Marks) != 5 {
					t.Fatalf("%d pieces, want 5", len(page.Marks))
				}
				// The pieces in the direction of the text, and across it, from the place of the text.
				along, across := make([]float64, 5), make([]float64, 5)
				var widths []float64
				for i, m := range page.Marks {
					p := m.(*record.Text)
					x, y := float64(p.At.X)-30, float64(p.At.Y)-40
					along[i] = x*math.Cos(angle) + y*math.Sin(angle)
					across[i] = y*math.Cos(angle) - x*math.Sin(angle)
					widths = append(widths, float64(p.Face.Width(p.Text)))
					if math.Abs(p.Angle-angle) > 1e-9 {
						t.Errorf("angle %v, want %v", p.Angle, angle)
					}
				}
				first, second := widths[0]+widths[1], widths[2]+widths[3]+widths[4]
				for i, want := range []float64{float64(align) * first, float64(align)*first + widths[0], float64(align) * second,
					float64(align)*second + widths[2], float64(align)*second + widths[2] + widths[3]} {
					if math.Abs(along[i]-want) > 1e-6 {
						t.Errorf("slim %v, angle %v, alignment %v: piece %d is at %v, want %v", slim, angle, align, i, along[i], want)
					}
				}
				for i, want := range []float64{0, 3.6, -10, -10 - 1.8, -10} {
					if math.Abs(across[i]-across[0]-want) > 1e-6 {
						t.Errorf("angle %v: piece %d is %v above the first, want %v", angle, i, across[i]-across[0], want)
					}
				}
			}
		}
	}
}
