package plots

import (
	"bytes"
	"encoding/xml"
	"errors"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/figure"
)

// one returns a figure with one panel and one line, which the function change has changed.
func one(change func(p *figure.Panel, l *figure.Line)) figure.Figure {
	p := figure.Panel{Title: "left", Lines: []figure.Line{{Label: "eg", X: []float64{1, 2}, Y: []float64{3, 4}}}}
	change(&p, &p.Lines[0])
	return figure.Figure{ID: "eg/fig06", Panels: []figure.Panel{p}}
}

// TestDrawRefuses checks that Draw returns an error for each kind of invalid figure, and that the error names the
// place.
func TestDrawRefuses(t *testing.T) {
	zero, low, high, nan := 0.0, 1.0, 2.0, math.NaN()
	for _, c := range []struct {
		name   string
		figure figure.Figure
		want   []string // texts that the error must contain
	}{
		{"no panels", figure.Figure{ID: "eg/fig06"}, []string{"eg/fig06", "no panels"}},
		{"negative columns", figure.Figure{Columns: -1, Panels: make([]figure.Panel, 1)}, []string{"-1 columns"}},
		{"no lines", one(func(p *figure.Panel, _ *figure.Line) { p.Lines = nil }), []string{`panel 1 ("left")`, "no lines"}},
		{"empty line", one(func(_ *figure.Panel, l *figure.Line) { l.X, l.Y = nil, nil }),
			[]string{`line 1 ("eg")`, "no points"}},
		{"ragged line", one(func(_ *figure.Panel, l *figure.Line) { l.Y = l.Y[:1] }),
			[]string{`line 1 ("eg")`, "2 values of x but 1 of y"}},
		{"NaN", one(func(_ *figure.Panel, l *figure.Line) { l.Y[1] = nan }),
			[]string{`panel 1 ("left")`, `line 1 ("eg")`, "y of point 2 is NaN"}},
		{"infinite", one(func(_ *figure.Panel, l *figure.Line) { l.X[0] = math.Inf(-1) }), []string{"x of point 1 is -Inf"}},
		{"too large", one(func(_ *figure.Panel, l *figure.Line) { l.X[0] = 1e301 }), []string{"x of point 1 is 1e+301"}},
		{"ragged stops", one(func(_ *figure.Panel, l *figure.Line) { l.Stopped = []bool{true} }),
			[]string{`line 1 ("eg")`, "2 values of x but 1 entries in Stopped"}},
		{"half a band", one(func(_ *figure.Panel, l *figure.Line) { l.Low = l.Y }), []string{"both Low and High"}},
		{"ragged band", one(func(_ *figure.Panel, l *figure.Line) { l.Low, l.High = l.Y, l.Y[:1] }),
			[]string{"2 of Low and 1 of High"}},
		{"NaN in a band", one(func(_ *figure.Panel, l *figure.Line) { l.Low, l.High = l.Y, []float64{1, nan} }),
			[]string{"high of point 2"}},
		{"range of a line", one(func(_ *figure.Panel, l *figure.Line) { l.Range = []float64{1, 2} }),
			[]string{"2 values of x and 2 of Range", "only a line of one point"}},
		{"range of three values", one(func(_ *figure.Panel, l *figure.Line) {
			l.X, l.Y, l.Range = l.X[:1], l.Y[:1], []float64{1, 2, 3}
		}), []string{"1 values of x and 3 of Range"}},
		{"NaN in a range", one(func(_ *figure.Panel, l *figure.Line) {
			l.X, l.Y, l.Range = l.X[:1], l.Y[:1], []float64{1, nan}
		}), []string{"range of point 2 is NaN"}},
		{"limits in the wrong order", one(func(p *figure.Panel, _ *figure.Line) { p.X.Min, p.X.Max = &high, &low }),
			[]string{"x axis", "min 2 is not below max 1"}},
		{"log axis from zero", one(func(p *figure.Panel, _ *figure.Line) { p.Y.Log, p.Y.Min = true, &zero }),
			[]string{"y axis", "min is 0 on a log axis"}},
		{"limit NaN", one(func(p *figure.Panel, _ *figure.Line) { p.Y.Max = &nan }), []string{"y axis", "max is NaN"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Draw(c.figure)
			if err == nil {
				t.Fatal("Draw returns no error")
			}
			for _, w := range c.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("error of Draw = %q, want %q in it", err, w)
				}
			}
		})
	}
}

// TestEncode checks the first bytes of each format, the error if the disk is full, and the error for an unknown format.
func TestEncode(t *testing.T) {
	d := mustDraw(t, gapFigure(50))
	for format, magic := range map[string]string{"svg": "<?xml", "png": "\x89PNG", "pdf": "%PDF-"} {
		var b bytes.Buffer
		if err := d.Encode(&b, format); err != nil {
			t.Error(err)
		}
		if !strings.HasPrefix(b.String(), magic) {
			t.Errorf("%s begins with %q, want %q", format, b.String()[:8], magic)
		}
		if err := d.Encode(full{}, format); !errors.Is(err, errFull) {
			t.Errorf("Encode of %s to a full disk: error %v, want %v", format, err, errFull)
		}
	}
	if err := d.Encode(io.Discard, "gif"); err == nil ||
		!strings.Contains(err.Error(), `"gif" is not one of svg, png, pdf`) {
		t.Errorf("Encode to an unknown format: error %v, want one that lists the formats", err)
	}
}

// full is a writer that always fails, like a full disk.
type full struct{}

var errFull = errors.New("no space left")

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestPNGIsForPrint checks that a PNG has 300 pixels per inch.
func TestPNGIsForPrint(t *testing.T) {
	var b bytes.Buffer
	d := mustDraw(t, gapFigure(50))
	if err := d.Encode(&b, "png"); err != nil {
		t.Fatal(err)
	}
	c, err := png.DecodeConfig(&b)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.Width, int(d.layout.width/72*300); got < want-1 || got > want+1 {
		t.Errorf("width of the PNG = %d pixels, want %d", got, want)
	}
}

// TestSave checks that Save writes the drawing, and that it leaves no file behind after an error.
func TestSave(t *testing.T) {
	dir := t.TempDir()
	d := mustDraw(t, gapFigure(50))
	path := filepath.Join(dir, "fig06.SVG")
	if err := d.Save(path); err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != xmlDeclaration+d.SVG() {
		t.Errorf("the file differs from the drawing: %v", err)
	}
	for _, name := range []string{"fig06", "fig06.docx", filepath.Join("missing", "fig06.svg")} {
		if err := d.Save(filepath.Join(dir, name)); err == nil {
			t.Errorf("Save to %s returns no error", name)
		}
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 {
		t.Errorf("files in the folder = %v, want only the saved one", left)
	}
}

// TestDeterministic checks that the same figure gives the same bytes, even if it is drawn again or concurrently.
func TestDeterministic(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws all figures of the gallery four times")
	}
	for _, s := range gallery() {
		d := mustDraw(t, s.figure)
		want := d.SVG()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if d.SVG() != want {
					t.Errorf("%s: concurrent calls of SVG give different bytes", s.name)
				}
			})
		}
		wg.Wait()
		if mustDraw(t, s.figure).SVG() != want {
			t.Errorf("%s: drawing the figure again gives different bytes", s.name)
		}
	}
	var first, second bytes.Buffer
	for _, b := range []*bytes.Buffer{&first, &second} {
		if err := mustDraw(t, gapFigure(50)).Encode(b, "png"); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("drawing the figure again gives a different PNG")
	}
}

// TestSVGIsSmall checks that many points do not make an SVG larger than 200 kB.
func TestSVGIsSmall(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test draws 100,000 points")
	}
	if n := len(mustDraw(t, gapFigure(2000)).SVG()); n > 200<<10 {
		t.Errorf("SVG of 4 curves with 2000 points has %d bytes, want at most 200 kB", n)
	}
	noise := sampled(0, 1, 100_000, wiggle)
	f := figure.Figure{Panels: []figure.Panel{{Lines: []figure.Line{noise}}}}
	if n := len(mustDraw(t, f).SVG()); n > 200<<10 {
		t.Errorf("SVG of 100,000 points of noise has %d bytes, want at most 200 kB", n)
	}
}

// TestSVGIsAnElement checks that SVG returns a well-formed element with an escaped title.
func TestSVGIsAnElement(t *testing.T) {
	f := gapFigure(20)
	f.Title = "a < b & η_{0} \x00 \xff"
	d := mustDraw(t, f)
	svg := d.SVG()
	if !strings.HasPrefix(svg, "<svg") {
		t.Errorf("SVG begins with %q, want <svg", svg[:20])
	}
	wellFormed(t, svg)
	if !strings.Contains(svg, "<title>a &lt; b &amp; η0") {
		t.Error("SVG does not contain the escaped title")
	}
	fluid := d.FluidSVG()
	wellFormed(t, fluid)
	head := regexp.MustCompile(`^<svg (style="width: 100%; max-width: [0-9.]+rem"|width="[^"]*" height="[^"]*") viewBox=`)
	if diff := cmp.Diff(head.ReplaceAllString(svg, ""), head.ReplaceAllString(fluid, "")); diff != "" {
		t.Errorf("FluidSVG differs from SVG in more than the width (-want +got):\n%s", diff)
	}
}

// wellFormed fails the test if a text is not well-formed XML.
func wellFormed(t interface{ Fatal(...any) }, svg string) {
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		switch _, err := d.Token(); err {
		case nil:
		case io.EOF:
			return
		default:
			t.Fatal(err)
		}
	}
}

// mustDraw draws a figure and fails the test if there is an error.
func mustDraw(t testing.TB, f figure.Figure) *Drawing {
	t.Helper()
	d, err := Draw(f)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// BenchmarkDrawSVG draws four curves of 2000 points as SVG.
func BenchmarkDrawSVG(b *testing.B) {
	f := gapFigure(2000)
	b.ReportAllocs()
	for b.Loop() {
		b.SetBytes(int64(len(mustDraw(b, f).SVG())))
	}
}
