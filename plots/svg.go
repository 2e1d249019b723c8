package plots

import (
	"html"
	"strings"
)

const xmlDeclaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

// dressSVG turns gonum's document into an element for a page: without the XML declaration, with a title for readers who
// do not see it, and with typefaces of the same widths to fall back on where Liberation Sans is missing.
func dressSVG(doc, title string) string {
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
	if end := strings.Index(doc, ">"); title != "" && end > 0 {
		doc = doc[:end] + " role=\"img\">\n<title>" + html.EscapeString(plainText(title)) + "</title>" + doc[end+1:]
	}
	return doc
}

// plainText is a label without the marks of its scripts.
func plainText(s string) string {
	var b strings.Builder
	for _, r := range runsOf(s) {
		b.WriteString(r.text)
	}
	return b.String()
}
