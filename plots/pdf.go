package plots

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"regexp"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	stdfont "golang.org/x/image/font"
)

// writePDF writes the drawing as one page, its texts as text: with its typefaces, of which only the letters in use are
// kept. gonum's own writer knows the 256 characters of code page 1252 only, which lack the minus sign and Greek.
func (d *Drawing) writePDF(w io.Writer) error {
	page := newRecorded()
	width, height := d.layout.width, d.layout.height
	d.layout.draw(draw.NewCanvas(page, width, height))
	out := pdf{fpdf.NewCustom(&fpdf.InitType{UnitStr: "pt",
		Size: fpdf.SizeType{Wd: width.Points(), Ht: height.Points()}}), height, map[string]bool{}}
	out.SetCatalogSort(true)
	out.SetMargins(0, 0, 0)
	out.SetAutoPageBreak(false, 0)
	out.SetLang("en")
	for _, set := range []struct {
		to   func(string, bool)
		text string
	}{{out.SetTitle, d.title()}, {out.SetSubject, d.description()}, {out.SetKeywords, d.provenance("; ")},
		{out.SetCreator, "gaplab"}, {out.SetProducer, "gaplab"}} {
		set.to(set.text, true)
	}
	out.AddPage()
	for _, m := range page.marks {
		var err error
		switch m := m.(type) {
		case *recordedPath:
			out.path(m)
		case *recordedText:
			err = out.text(m)
		}
		if err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := out.Output(&b); err != nil {
		return err
	}
	// The same figure has the same bytes: the date of writing becomes spaces, so that nothing moves.
	dates := regexp.MustCompile(`/(Creation|Mod)Date \([^)]*\)`)
	_, err := w.Write(dates.ReplaceAllFunc(b.Bytes(), func(date []byte) []byte {
		return bytes.Repeat([]byte(" "), len(date))
	}))
	return err
}

// pdf is a page that is being written. Its y axis points down.
type pdf struct {
	*fpdf.Fpdf
	height vg.Length
	fonts  map[string]bool // styles that it has
}

func (p pdf) at(q vg.Point) (x, y float64) { return q.X.Points(), (p.height - q.Y).Points() }

func (p pdf) path(m *recordedPath) {
	style := "F"
	if r, g, b := int(m.color.R), int(m.color.G), int(m.color.B); m.width == 0 {
		p.SetFillColor(r, g, b)
	} else {
		style = "D"
		p.SetDrawColor(r, g, b)
		p.SetLineWidth(m.width.Points())
		dash := make([]float64, len(m.dash))
		for i, d := range m.dash {
			dash[i] = d.Points()
		}
		p.SetDashPattern(dash, 0)
	}
	p.SetAlpha(float64(m.color.A)/math.MaxUint8, "Normal")
	for _, c := range m.path {
		x, y := p.at(c.Pos)
		switch c.Type {
		case vg.MoveComp:
			p.MoveTo(x, y)
		case vg.LineComp:
			p.LineTo(x, y)
		case vg.CurveComp:
			x1, y1 := p.at(c.Control[0])
			x2, y2 := p.at(c.Control[1])
			p.CurveBezierCubicTo(x1, y1, x2, y2, x, y)
		case vg.CloseComp:
			p.ClosePath()
		}
	}
	p.DrawPath(style)
}

func (p pdf) text(t *recordedText) error {
	const family = "sans"
	style := ""
	if t.face.Font.Weight == stdfont.WeightBold {
		style = "B"
	}
	if !p.fonts[style] {
		source, err := sourceOf(t.face)
		if err != nil {
			return err
		}
		p.AddUTF8FontFromBytes(family, style, source)
		p.fonts[style] = true
	}
	p.SetFont(family, style, t.face.Font.Size.Points())
	p.SetTextColor(int(t.color.R), int(t.color.G), int(t.color.B))
	p.SetAlpha(float64(t.color.A)/math.MaxUint8, "Normal")
	x, y := p.at(t.at)
	if t.angle == 0 {
		p.Text(x, y, t.text)
		return nil
	}
	p.TransformBegin()
	p.TransformRotate(t.angle*180/math.Pi, x, y)
	p.Text(x, y, t.text)
	p.TransformEnd()
	return nil
}

// sourceOf is the file of a typeface.
func sourceOf(f font.Face) ([]byte, error) {
	var b bytes.Buffer
	if _, err := f.Face.WriteSourceTo(nil, &b); err != nil {
		return nil, fmt.Errorf("the typeface %s: %w", f.Name(), err)
	}
	return b.Bytes(), nil
}
