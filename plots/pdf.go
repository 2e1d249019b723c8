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

	"github.com/gaplab/gaplab/plots/internal/record"
)

// writePDF writes the drawing as one page. Texts remain texts: the file embeds the letters that it uses of each
// typeface. gonum's own writer is not used, because it supports only the 256 characters of code page 1252. These
// include neither the minus sign nor Greek letters.
func (d *Drawing) writePDF(w io.Writer) error {
	page := record.New()
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
	for _, m := range page.Marks {
		var err error
		switch m := m.(type) {
		case *record.Path:
			out.path(m)
		case *record.Text:
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
	// Dates are replaced by spaces of the same length. Then the same figure gives the same bytes, and the offsets of the
	// file remain valid.
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
	fonts  map[string]bool // styles that are already embedded
}

// at converts a position on the canvas, whose y axis points up, to the coordinates of the page.
func (p pdf) at(q vg.Point) (x, y float64) { return q.X.Points(), (p.height - q.Y).Points() }

// path draws a path.
func (p pdf) path(m *record.Path) {
	style := "F"
	if r, g, b := int(m.Color.R), int(m.Color.G), int(m.Color.B); m.Width == 0 {
		p.SetFillColor(r, g, b)
	} else {
		style = "D"
		p.SetDrawColor(r, g, b)
		p.SetLineWidth(m.Width.Points())
		dash := make([]float64, len(m.Dash))
		for i, d := range m.Dash {
			dash[i] = d.Points()
		}
		p.SetDashPattern(dash, 0)
	}
	p.SetAlpha(float64(m.Color.A)/math.MaxUint8, "Normal")
	for _, c := range m.Path {
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

// text draws a text.
func (p pdf) text(t *record.Text) error {
	const family = "sans"
	style := ""
	if t.Face.Font.Weight == stdfont.WeightBold {
		style = "B"
	}
	if !p.fonts[style] {
		source, err := sourceOf(t.Face)
		if err != nil {
			return err
		}
		p.AddUTF8FontFromBytes(family, style, source)
		p.fonts[style] = true
	}
	p.SetFont(family, style, t.Face.Font.Size.Points())
	p.SetTextColor(int(t.Color.R), int(t.Color.G), int(t.Color.B))
	p.SetAlpha(float64(t.Color.A)/math.MaxUint8, "Normal")
	x, y := p.at(t.At)
	if t.Angle == 0 {
		p.Text(x, y, t.Text)
		return nil
	}
	p.TransformBegin()
	p.TransformRotate(t.Angle*180/math.Pi, x, y)
	p.Text(x, y, t.Text)
	p.TransformEnd()
	return nil
}

// sourceOf returns the content of a typeface's font file.
func sourceOf(f font.Face) ([]byte, error) {
	var b bytes.Buffer
	if _, err := f.Face.WriteSourceTo(nil, &b); err != nil {
		return nil, fmt.Errorf("the typeface %s: %w", f.Name(), err)
	}
	return b.Bytes(), nil
}
