package plots

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	stdfont "golang.org/x/image/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gaplab/gaplab/plots/internal/record"
)

// recorded returns a drawing as recorded marks.
func recorded(d *Drawing) *drawn {
	page := &drawn{record.New()}
	d.layout.draw(draw.NewCanvas(page.Canvas, d.layout.width, d.layout.height))
	return page
}

// painted is a mark of a page, with numbers that are compared with a tolerance.
type painted struct {
	what    string // kind of the mark, its path or text, and whether it is bold
	numbers []float64
}

// TestPDFMarks reads the content of PDF files, and checks that each mark has the place, colour, transparency, width,
// dashes, font and angle that a recording canvas has.
func TestPDFMarks(t *testing.T) {
	spaced := gapFigure(20)
	spaced.Panels[0].Lines[1].Dash, spaced.Panels[0].Title = 3, `a \ (b)`
	for _, f := range []sample{{"gap", spaced}, {"stopped", stoppedFigure()}, {"single point", singlePointFigure()}} {
		d := mustDraw(t, f.figure)
		var want []painted
		for _, m := range recorded(d).Marks {
			switch m := m.(type) {
			case *record.Path:
				want = append(want, paintedPath(m))
			case *record.Text:
				want = append(want, painted{fmt.Sprint("text ", m.Face.Font.Weight == stdfont.WeightBold, " ", m.Text),
					append(colourOf(m.Color), m.Face.Font.Size.Points(), m.At.X.Points(), m.At.Y.Points(), m.Angle)})
			}
		}
		got := readPDF(t, encoded(t, f.figure, "pdf"), d)
		if len(got) != len(want) {
			t.Errorf("%s: the PDF has %d marks, want %d", f.name, len(got), len(want))
			continue
		}
		for i := range got {
			same := got[i].what == want[i].what && len(got[i].numbers) == len(want[i].numbers)
			for k := 0; same && k < len(got[i].numbers); k++ {
				same = math.Abs(got[i].numbers[k]-want[i].numbers[k]) < 0.006
			}
			if !same {
				t.Fatalf("%s: mark %d is %v, want %v", f.name, i, got[i], want[i])
			}
		}
	}
}

// colourOf returns the parts of a colour, from 0 to 1.
func colourOf(c color.NRGBA) []float64 {
	return []float64{float64(c.R) / 255, float64(c.G) / 255, float64(c.B) / 255, float64(c.A) / 255}
}

// paintedPath returns a recorded path.
func paintedPath(m *record.Path) painted {
	p := painted{"f ", colourOf(m.Color)}
	if m.Width > 0 {
		p.what = "S "
		p.numbers = append(p.numbers, m.Width.Points())
		for _, l := range m.Dash {
			p.numbers = append(p.numbers, l.Points())
		}
	}
	for _, c := range m.Path {
		if c.Type == vg.CloseComp {
			p.what += "h"
			continue
		}
		p.what += map[int]string{vg.MoveComp: "m", vg.LineComp: "l", vg.CurveComp: "c"}[c.Type]
		for _, q := range append(append([]vg.Point{}, c.Control...), c.Pos) {
			p.numbers = append(p.numbers, q.X.Points(), q.Y.Points())
		}
	}
	return p
}

// readPDF returns the marks on the page of a PDF that this package has written. It also checks the size of the page.
func readPDF(t *testing.T, file []byte, d *Drawing) (out []painted) {
	size := fmt.Sprintf("/MediaBox [0 0 %.2f %.2f]", d.layout.width.Points(), d.layout.height.Points())
	if !bytes.Contains(file, []byte(size)) {
		t.Errorf("the PDF does not contain %s", size)
	}
	var alphas []float64 // of the graphics states /GS1, /GS2 and so on
	for _, m := range regexp.MustCompile(`/ca ([0-9.]+) /CA ([0-9.]+)`).FindAllSubmatch(file, -1) {
		alphas = append(alphas, numbersOf(string(m[1]))...)
		if string(m[1]) != string(m[2]) {
			t.Errorf("strokes and fills have the transparencies %s and %s", m[2], m[1])
		}
	}
	packed := regexp.MustCompile(`(?s)stream\n(.*?)\nendstream`).FindSubmatch(file)[1]
	unpacked, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	content, _ := io.ReadAll(unpacked)
	var fill, stroke, width, dash, path []float64
	var form, font string
	size1, alpha, matrix := 0., 1., []float64{1, 0, 0, 1, 0, 0}
	written := regexp.MustCompile(`(?s)^(?:q (.*?) g )?(?:q (.*?) rg )?BT (\S+) (\S+) Td \((.*)\) Tj ET`)
	fonts := map[string]string{} // by their use: the first font that is bold or not
	for _, line := range strings.Split(string(content), "\n") {
		if m := written.FindStringSubmatch(line); m != nil {
			ink := fill
			if c := numbersOf(m[1] + m[2]); len(c) > 0 {
				ink = c
			}
			x, y := numbersOf(m[3])[0], numbersOf(m[4])[0]
			text := strings.NewReplacer(`\\`, `\`, `\(`, "(", `\)`, ")", `\r`, "\r").Replace(m[5])
			units := make([]uint16, len(text)/2)
			for i := range units {
				units[i] = binary.BigEndian.Uint16([]byte(text[2*i:]))
			}
			bold := fmt.Sprint(font == fonts["bold"])
			out = append(out, painted{"text " + bold + " " + string(utf16.Decode(units)), append(three(ink), alpha, size1,
				matrix[0]*x+matrix[2]*y+matrix[4], matrix[1]*x+matrix[3]*y+matrix[5], math.Atan2(matrix[1], matrix[0]))})
			continue
		}
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		n := numbersOf(line)
		switch op := fields[len(fields)-1]; op {
		case "g", "rg":
			fill = n
		case "G", "RG":
			stroke = n
		case "w":
			width = n
		case "d":
			dash = n[:len(n)-1]
			if n[len(n)-1] != 0 {
				t.Errorf("dashes begin at %v, want 0", n[len(n)-1])
			}
		case "gs":
			k, _ := strconv.Atoi(strings.TrimPrefix(fields[0], "/GS"))
			alpha = alphas[k-1]
		case "cm":
			matrix = n
		case "Q":
			matrix = []float64{1, 0, 0, 1, 0, 0}
		case "m", "l", "c", "h":
			form, path = form+op, append(path, n...)
		case "f":
			out = append(out, painted{"f " + form, append(append(three(fill), alpha), path...)})
			form, path = "", nil
		case "S":
			style := append(append(append(three(stroke), alpha), width...), dash...)
			out = append(out, painted{"S " + form, append(style, path...)})
			form, path = "", nil
		case "ET":
			font, size1 = fields[1], numbersOf(fields[2])[0]
			name := regexp.MustCompile(regexp.QuoteMeta(font) + ` (\d+) 0 R`).FindSubmatch(file)
			object := regexp.MustCompile(`(?s)\n` + string(name[1]) + ` 0 obj.*?endobj`).Find(file)
			if bytes.Contains(object, []byte("Bold")) || bytes.Contains(object, []byte("sansB")) {
				fonts["bold"] = font
			}
		}
	}
	return out
}

// three returns a colour as red, green and blue; a single number is a grey.
func three(c []float64) []float64 {
	if len(c) == 1 {
		return []float64{c[0], c[0], c[0]}
	}
	return append([]float64{}, c...)
}

// numbersOf returns the numbers in a text.
func numbersOf(s string) (out []float64) {
	for _, m := range regexp.MustCompile(`(^|[ \[])-?[0-9]+(\.[0-9]+)?`).FindAllString(s, -1) {
		v, _ := strconv.ParseFloat(strings.Trim(m, " ["), 64)
		out = append(out, v)
	}
	return out
}

// TestPNGPixels checks the size of a PNG, that the middle of each filled marker has the colour of its line, that there
// is ink where texts are, and that the corners are white.
func TestPNGPixels(t *testing.T) {
	f := gapFigure(50)
	d := mustDraw(t, f)
	image, err := png.Decode(bytes.NewReader(encoded(t, f, "png")))
	if err != nil {
		t.Fatal(err)
	}
	const scale = 300. / 72
	size := image.Bounds().Size()
	if w, h := d.layout.width.Points()*scale, d.layout.height.Points()*scale; math.Abs(float64(size.X)-w) > 1 ||
		math.Abs(float64(size.Y)-h) > 1 {
		t.Errorf("the PNG has %v pixels, want %.0f × %.0f", size, w, h)
	}
	at := func(p vg.Point) color.NRGBA {
		x, y := int(p.X.Points()*scale), int((d.layout.height-p.Y).Points()*scale)
		return color.NRGBAModel.Convert(image.At(x, y)).(color.NRGBA)
	}
	markers := 0
	for _, p := range recorded(d).paths() {
		if p.Width > 0 || !isCurve(p.Color) {
			continue
		}
		markers++
		box := record.Nowhere()
		for _, c := range p.Path {
			if c.Type != vg.CloseComp {
				record.Widen(&box, c.Pos)
			}
		}
		if got := at(box.Min.Add(box.Max).Scale(0.5)); got != p.Color {
			t.Errorf("the middle of the marker in %v has the colour %v, want %v", box, got, p.Color)
		}
	}
	if markers < 4 {
		t.Errorf("%d filled markers, want at least one for each line", markers)
	}
	for _, text := range recorded(d).texts() {
		dark := false
		for y := text.Box.Min.Y; y < text.Box.Max.Y; y += 0.2 {
			for x := text.Box.Min.X; x < text.Box.Max.X; x += 0.2 {
				dark = dark || at(vg.Point{X: x, Y: y}).R < 0xB0
			}
		}
		if !dark && strings.TrimSpace(text.Text) != "" {
			t.Errorf("no ink where the text %q is", text.Text)
		}
	}
	for _, corner := range []vg.Point{{X: 1, Y: 1}, {X: d.layout.width - 1, Y: d.layout.height - 1}} {
		if got := at(corner); got != white() {
			t.Errorf("the corner %v has the colour %v, want white", corner, got)
		}
	}
}

// TestFluidSize checks the largest width of a fluid drawing, for wide, square, high and very high drawings.
func TestFluidSize(t *testing.T) {
	for panels, columns := range map[int]int{1: 1, 3: 3, 4: 4, 6: 1, 12: 2} {
		f := gapFigure(10)
		for len(f.Panels) < panels {
			f.Panels = append(f.Panels, f.Panels[0])
		}
		f.Columns = columns
		svg := mustDraw(t, f).FluidSVG()
		var width, height, limit float64
		box := regexp.MustCompile(`max-width: \S+rem" viewBox="0 0 \S+ [^"]+"`).FindString(svg)
		if _, err := fmt.Sscanf(box, `max-width: %frem" viewBox="0 0 %f %f"`, &limit, &width, &height); err != nil {
			t.Fatalf("%v in %.200s", err, svg)
		}
		want := 60.
		if at40 := 40 / height * width; at40 < want {
			want = at40
		}
		if own := width / 12; own > want {
			want = own
		}
		if math.Abs(limit-want) > 0.051 {
			t.Errorf("%d panels in %d columns, %.0f × %.0f points: at most %v rem wide, want %.1f", panels, columns, width,
				height, limit, want)
		}
	}
}

// TestDrawBare checks that a bare drawing shows neither the title nor the caption and is less high, but has the same
// metadata, and that it refuses the same figures.
func TestDrawBare(t *testing.T) {
	f := gapFigure(10)
	whole := mustDraw(t, f)
	bare, err := DrawBare(f)
	if err != nil {
		t.Fatal(err)
	}
	if bare.layout.height >= whole.layout.height || bare.layout.width != whole.layout.width {
		t.Errorf("the bare drawing is %v × %v, the whole one %v × %v", bare.layout.width, bare.layout.height,
			whole.layout.width, whole.layout.height)
	}
	if bare.svgHead() != whole.svgHead() {
		t.Errorf("metadata %q, want %q", bare.svgHead(), whole.svgHead())
	}
	for _, text := range recorded(bare).texts() {
		if len(text.Text) > 3 && strings.Contains(f.Title+caption, text.Text) {
			t.Errorf("the bare drawing shows %q", text.Text)
		}
	}
	f.Panels = nil
	if _, err := DrawBare(f); err == nil {
		t.Error("DrawBare accepts a figure without panels")
	}
}

// TestSVGHead checks which metadata an SVG has, for figures with and without title, identifier and source.
func TestSVGHead(t *testing.T) {
	for k := range 8 {
		f := gapFigure(10)
		if k&1 == 0 {
			f.Title = ""
		}
		if k&2 == 0 {
			f.ID = ""
		}
		if k&4 == 0 {
			f.Source.Spec, f.Source.Scale, f.Source.Runs, f.Source.Commits = "", "", nil, nil
		}
		head := mustDraw(t, f).svgHead()
		for element, want := range map[string]bool{"<title>": k&1 > 0, "<desc>": true, "<metadata>": k&6 > 0,
			"<dc:title>": k&1 > 0 && k&6 > 0, "<dc:identifier>": k&2 > 0, "<dc:source>": k&4 > 0} {
			if strings.Contains(head, element) != want {
				t.Errorf("title %v, identifier %v, source %v: %s there: %v, want %v", k&1 > 0, k&2 > 0, k&4 > 0, element, !want,
					want)
			}
		}
	}
}
