package plots

import (
	"fmt"
	"html"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

const xmlDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

// SVG returns the drawing as an <svg> element, for display in a notebook.
func (d *Drawing) SVG() string {
	c := vgsvg.New(d.layout.width, d.layout.height)
	d.layout.draw(draw.New(c))
	var b strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		panic("plots: a strings.Builder cannot fail: " + err.Error())
	}
	return d.dressSVG(b.String())
}

// FluidSVG returns the drawing as an <svg> element that is as wide as the page or cell around it, up to a limit: 60rem,
// or the width at which the drawing is 40rem high if that is less, but not less than the width of the drawing itself.
func (d *Drawing) FluidSVG() string {
	const perRem = 12 // points in a rem, at the usual size of text
	width, height := d.layout.width.Points()/perRem, d.layout.height.Points()/perRem
	limit := max(width, min(60, 40*width/height))
	// Without the attributes width and height, the view box determines the height.
	return regexp.MustCompile(`^<svg width="[^"]*" height="[^"]*"`).ReplaceAllString(d.SVG(),
		fmt.Sprintf(`<svg style="width: 100%%; max-width: %.1frem"`, limit))
}

// dressSVG converts gonum's SVG document to an element of a page. It removes the XML declaration. It adds the title,
// the description, and alternative typefaces with the same widths for computers without Liberation Sans.
func (d *Drawing) dressSVG(doc string) string {
	if i := strings.Index(doc, "<svg"); i > 0 {
		doc = doc[i:]
	}
	const (
		family = "font-family:Liberation Sans;font-variant:normal;"
		stack  = "font-family:'Liberation Sans',Arimo,Arial,Helvetica,sans-serif;"
	)
	doc = strings.NewReplacer(
		family+"font-weight:normal;font-style:normal;", stack,
		family+"font-weight:bold;font-style:normal;", stack+"font-weight:bold;",
	).Replace(doc)
	if end := strings.Index(doc, ">"); end > 0 {
		doc = doc[:end] + " role=\"img\">\n" + d.svgHead() + doc[end+1:]
	}
	return doc
}

// svgHead returns the first elements of the SVG: the title and the description, for readers who cannot see the figure,
// and the figure's spec, runs and commits as Dublin Core metadata.
func (d *Drawing) svgHead() string {
	var b strings.Builder
	element := func(name, text string) {
		if text != "" {
			fmt.Fprintf(&b, "<%s>%s</%[1]s>\n", name, html.EscapeString(text))
		}
	}
	element("title", d.title())
	element("desc", d.description())
	source := d.provenance("\n")
	if d.figure.ID == "" && source == "" {
		return b.String()
	}
	b.WriteString("<metadata><rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" " +
		"xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><rdf:Description rdf:about=\"\">\n")
	element("dc:title", d.title())
	element("dc:identifier", d.figure.ID)
	element("dc:source", source)
	b.WriteString("</rdf:Description></rdf:RDF></metadata>\n")
	return b.String()
}
