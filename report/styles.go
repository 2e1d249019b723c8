package report

import (
	"fmt"
	"html/template"
	"regexp"
	"strings"
)

// styles collects the styles of all drawings on a page. A drawing uses a few styles many times, so each style becomes a
// CSS class of the page.
type styles struct {
	classes map[string]string // name of the class, by the text of a style
	rules   strings.Builder
}

// share replaces the styles in a drawing by class names. A text in the drawing cannot be mistaken for a style, because
// quotation marks in texts are escaped.
func (s *styles) share(svg string) template.HTML {
	attribute := regexp.MustCompile(`style="([^"]*)"`)
	return template.HTML(attribute.ReplaceAllStringFunc(svg, func(match string) string {
		text := attribute.FindStringSubmatch(match)[1]
		class, known := s.classes[text]
		if !known {
			class = fmt.Sprint("d", len(s.classes))
			if s.classes == nil {
				s.classes = map[string]string{}
			}
			s.classes[text] = class
			own := strings.Replace(text, "'Liberation Sans'", "'Report Sans','Liberation Sans'", 1)
			fmt.Fprintf(&s.rules, ".%s{%s}\n", class, own)
			if dark := s.dark(text); dark != text {
				fmt.Fprintf(&s.rules, "[data-theme=dark] .%s{%s}\n", class, dark)
			}
		}
		return "class=" + class
	}))
}

// dark returns the variant of a style for a dark page.
func (*styles) dark(style string) string {
	return regexp.MustCompile(`#[0-9A-Fa-f]{6}\b`).ReplaceAllStringFunc(style, night)
}

// night returns the colour that replaces a colour, given as #RRGGBB, on a dark page. White becomes the dark colour of
// the page, black a light grey, and other greys something between. Other colours are mixed with white, and darker
// colours with more white.
func night(colour string) string {
	var c [3]int
	if _, err := fmt.Sscanf(colour, "#%02x%02x%02x", &c[0], &c[1], &c[2]); err != nil {
		return colour
	}
	if c[0] == c[1] && c[1] == c[2] {
		page, light := [3]int{0x15, 0x18, 0x1c}, [3]int{0xec, 0xee, 0xf0}
		for i, v := range c {
			c[i] = light[i] + (page[i]-light[i])*v/255
		}
	} else {
		luminance := (2126*c[0] + 7152*c[1] + 722*c[2]) / 10000
		share := max(10, 60-luminance*2/5) // percentage of white
		for i, v := range c {
			c[i] = v + (255-v)*share/100
		}
	}
	return fmt.Sprintf("#%02X%02X%02X", c[0], c[1], c[2])
}

// css returns the CSS rules of the classes.
func (s *styles) css() template.CSS { return template.CSS(s.rules.String()) }
