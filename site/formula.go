package main

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// formulas converts the lines of a formula in a doc comment to MathML, a row for each line. Doc comments write formulas
// in Unicode, such as w_k ← w_k − η A_iᵀ(μ_i − 1_{y_i}): _ and ^ begin a subscript and a superscript, which is one
// name or number, or all that is in braces.
func formulas(text string) string {
	var b strings.Builder
	b.WriteString(`<math display="block"><mtable columnalign="left">`)
	for line := range strings.Lines(text) {
		indent := len(line) - len(strings.TrimLeft(line, " "))
		f := &formula{rest: []rune(norm.NFD.String(strings.TrimSpace(line)))}
		fmt.Fprintf(&b, `<mtr><mtd><mrow>%s%s</mrow></mtd></mtr>`, space(0.5*float64(indent)), f.row(0))
	}
	b.WriteString("</mtable></math>")
	return b.String()
}

// formula reads a line. Its text is decomposed, so that accents follow their letters.
type formula struct {
	rest []rune
}

// take removes and returns the longest prefix whose characters satisfy ok.
func (f *formula) take(ok func(rune) bool) string {
	n := 0
	for n < len(f.rest) && ok(f.rest[n]) {
		n++
	}
	s := string(f.rest[:n])
	f.rest = f.rest[n:]
	return s
}

// begins reports whether the rest begins with the character c, and removes c if it does.
func (f *formula) begins(c rune) bool {
	if len(f.rest) == 0 || f.rest[0] != c {
		return false
	}
	f.rest = f.rest[1:]
	return true
}

// row reads up to the character end, which it removes; 0 stands for the end of the line.
func (f *formula) row(end rune) string {
	var b strings.Builder
	last := "" // the element before
	for len(f.rest) > 0 && (end == 0 || !f.begins(end)) {
		if n := len(f.take(func(c rune) bool { return c == ' ' })); n > 1 {
			b.WriteString(space(min(float64(n), 3)))
			last = ""
			continue
		} else if n == 1 && last != "" && len(f.rest) > 0 && !spaced(last) && !spaced(string(f.rest[:1])) {
			b.WriteString(space(0.5))
		}
		last = f.item()
		b.WriteString(last)
	}
	return b.String()
}

// space returns a space of some characters.
func space(characters float64) string {
	if characters == 0 {
		return ""
	}
	return fmt.Sprintf(`<mspace width="%.3gem"/>`, 0.5*characters)
}

// spaced reports whether browsers put space around an element or a character.
func spaced(s string) bool {
	c, operator := strings.CutPrefix(s, "<mo>")
	if !operator && strings.HasPrefix(s, "<") && len(s) > 1 {
		return false
	}
	return strings.ContainsAny(c[:min(len(c), len("≤"))], "+−=≤≥<>&←∈·∪≠,")
}

// raised returns a character that is itself a superscript, or a subscript, as ^ or _ and the character in its place;
// "" for all others.
func raised(c rune) string {
	switch c {
	case '²':
		return "^2"
	case 'ᵀ':
		return "^⊤"
	case 'ⁿ':
		return "^n"
	case 'ˢ':
		return "^s"
	case '⁺':
		return "^+"
	case '⁻':
		return "^−"
	case '°':
		return "^∘"
	case '*':
		return "^∗"
	case '\'':
		return "^′"
	case '₀':
		return "_0"
	case '₁':
		return "_1"
	}
	return ""
}

// item reads a name, a number or an operator, with its accents, subscripts and superscripts.
func (f *formula) item() string {
	base := f.base()
	var sub, super string
	for len(f.rest) > 0 {
		c := f.rest[0]
		if s := raised(c); s != "" && base != "" {
			f.rest = f.rest[1:]
			if s[0] == '_' {
				sub += element(s[1:])
			} else {
				super += element(s[1:])
			}
			continue
		}
		if c != '_' && c != '^' || len(f.rest) == 1 {
			break
		}
		f.rest = f.rest[1:]
		if c == '_' {
			sub += f.script()
		} else {
			super += f.script()
		}
	}
	switch {
	case sub != "" && super != "":
		return fmt.Sprintf("<msubsup>%s<mrow>%s</mrow><mrow>%s</mrow></msubsup>", base, sub, super)
	case sub != "":
		return fmt.Sprintf("<msub>%s<mrow>%s</mrow></msub>", base, sub)
	case super != "":
		return fmt.Sprintf("<msup>%s<mrow>%s</mrow></msup>", base, super)
	}
	return base
}

// script reads what follows _ or ^: all in braces, or letters and digits. More than two letters are a word.
func (f *formula) script() string {
	if f.begins('{') {
		return f.row('}')
	}
	text := f.take(func(c rune) bool { return raised(c) == "" && unicode.In(c, unicode.L, unicode.Nd, unicode.Mn) })
	inner := &formula{rest: []rune(text)}
	if len(inner.rest) > 2 && !strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Mn, c) }) {
		return element(text)
	}
	var b strings.Builder
	for len(inner.rest) > 0 {
		c := string(inner.rest[0])
		inner.rest = inner.rest[1:]
		b.WriteString(inner.accented(element(c)))
	}
	return b.String()
}

// base reads a word of two or more Latin letters, a single letter with its accents, a number or an operator.
func (f *formula) base() string {
	latin := func(c rune) bool { return c < unicode.MaxASCII && unicode.IsLetter(c) }
	word := &formula{rest: f.rest}
	if w := word.take(latin); len(w) > 1 && !(len(word.rest) > 0 && unicode.Is(unicode.Mn, word.rest[0])) {
		f.rest = word.rest
		if len(f.rest) > 1 && f.rest[0] == '\'' && f.rest[1] == 's' {
			w, f.rest = w+"’s", f.rest[2:]
		}
		return element(w)
	}
	if number := regexp.MustCompile(`^(\d+(\.\d+)?|\.+)`).FindString(string(f.rest)); number != "" {
		f.rest = f.rest[len(number):]
		if number[0] == '.' {
			return "<mo>" + number + "</mo>"
		}
		return "<mn>" + number + "</mn>"
	}
	c := string(f.rest[0])
	f.rest = f.rest[1:]
	return f.accented(element(c))
}

// accented puts the accents that follow over an element; D~ is D with a tilde.
func (f *formula) accented(base string) string {
	over := map[rune]string{'\u0302': "^", '\u0303': "~", '\u0304': "¯", '~': "~"}
	for len(f.rest) > 0 && over[f.rest[0]] != "" {
		base = fmt.Sprintf(`<mover accent="true">%s<mo stretchy="false">%s</mo></mover>`, base, over[f.rest[0]])
		f.rest = f.rest[1:]
	}
	return base
}

// element returns a letter, a word, a number or an operator as an element of MathML. Words are upright.
func element(s string) string {
	switch c := []rune(s); {
	case len(c) > 1:
		return "<mtext>" + html.EscapeString(s) + "</mtext>"
	case unicode.IsDigit(c[0]) || c[0] == '½':
		return "<mn>" + s + "</mn>"
	case c[0] == 'Σ':
		return `<mo largeop="true" movablelimits="true">∑</mo>`
	case unicode.IsLetter(c[0]):
		return "<mi>" + s + "</mi>"
	case strings.ContainsRune("()[]{}|‖⟨⟩/", c[0]):
		return `<mo stretchy="false" form="infix" lspace="0" rspace="0">` + s + "</mo>"
	}
	return "<mo>" + html.EscapeString(s) + "</mo>"
}

// inline returns the HTML of a text with subscripts, such as those of w_k, μ_{k+1} and cost_i, set low. A subscript of
// a word has one character, so that names with an underscore stay as they are.
func inline(text string) string {
	subscript := regexp.MustCompile(`(?:^|[^\pL\pM\d_])([\pL\d]\pM*'?|[\p{Ll}\p{Lu}]+)_` +
		`(\{(?:[^{}<]|\{[^{}<]*\})*\}|[\p{Ll}\p{Lu}\d]\pM*[\p{Ll}\p{Lu}\d]?)(?:$|[^\p{Ll}\p{Lu}\d_])`)
	var b strings.Builder
	for {
		m := subscript.FindStringSubmatchIndex(text)
		if m == nil {
			return b.String() + text
		}
		base, low := text[m[2]:m[3]], text[m[4]:m[5]]
		if utf8.RuneCountInString(base) > 2 && utf8.RuneCountInString(low) == 2 {
			b.WriteString(text[:m[5]])
		} else {
			low = strings.TrimSuffix(strings.TrimPrefix(low, "{"), "}")
			if utf8.RuneCountInString(strings.TrimSuffix(base, "'")) == 1 {
				base = "<i>" + base + "</i>"
			}
			b.WriteString(text[:m[2]] + base + "<sub>" + inline(low) + "</sub>")
		}
		text = text[m[5]:]
	}
}
