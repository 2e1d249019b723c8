package source

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// appendTokens appends the tokens of a Go file to out, each followed by a zero byte. It skips comments, and writes the
// end of a statement as a semicolon even if the file has a line end in its place. So the result does not depend on
// layout, except for the ends of statements. The file must be correct, as the sources of a built program are; its
// tokens are then those of package go/scanner, which takes several times as long.
func appendTokens(out, text []byte) []byte {
	ends := false // whether a line end after the last token ends a statement
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c == '\n' && ends:
			out, ends = append(out, ';', 0), false
			at++
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			at++
		case c == '/' && at+1 < len(text) && (text[at+1] == '/' || text[at+1] == '*'):
			size := commentSize(text[at:])
			if ends && text[at+1] == '*' && bytes.IndexByte(text[at:at+size], '\n') >= 0 {
				out, ends = append(out, ';', 0), false
			}
			at += size
		default:
			size := tokenSize(text[at:])
			word := text[at : at+size]
			if c == '`' && bytes.IndexByte(word, '\r') >= 0 { // Go ignores carriage returns in raw strings
				word = bytes.ReplaceAll(word, []byte{'\r'}, nil)
			}
			out = append(append(out, word...), 0)
			ends = endsStatement(word)
			at += size
		}
	}
	if ends {
		out = append(out, ';', 0)
	}
	return out
}

// commentSize returns the length of the comment at the start of text, without the line end after it.
func commentSize(text []byte) int {
	end, after := []byte{'\n'}, 0
	if text[1] == '*' {
		end, after = []byte("*/"), 2
	}
	if at := bytes.Index(text[2:], end); at >= 0 {
		return 2 + at + after
	}
	return len(text)
}

// tokenSize returns the length of the token at the start of text.
func tokenSize(text []byte) int {
	switch c := text[0]; {
	case letter(c):
		return wordSize(text)
	case digit(c) || c == '.' && len(text) > 1 && digit(text[1]):
		return numberSize(text)
	case c == '"' || c == '\'':
		for at := 1; at < len(text); at++ {
			switch text[at] {
			case '\\':
				at++
			case c:
				return at + 1
			}
		}
		return len(text)
	case c == '`':
		return min(len(text), 1+bytes.IndexByte(text[1:], '`')+1)
	}
	return operatorSize(text)
}

// wordSize returns the length of the identifier or keyword at the start of text.
func wordSize(text []byte) int {
	for at := 0; at < len(text); {
		switch c := text[at]; {
		case c < utf8.RuneSelf && (letter(c) || digit(c)):
			at++
		case c < utf8.RuneSelf:
			return at
		default:
			r, size := utf8.DecodeRune(text[at:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				return at
			}
			at += size
		}
	}
	return len(text)
}

// numberSize returns the length of the number at the start of text. A sign belongs to it after the letter of an
// exponent.
func numberSize(text []byte) int {
	hexadecimal := len(text) > 1 && text[0] == '0' && text[1]|0x20 == 'x'
	for at, c := range text {
		last := byte(0)
		if at > 0 {
			last = text[at-1] | 0x20
		}
		exponent := last == 'p' && hexadecimal || last == 'e' && !hexadecimal
		sign := exponent && (c == '+' || c == '-')
		if !sign && c != '.' && !digit(c) && (c >= utf8.RuneSelf || !letter(c)) {
			return at
		}
	}
	return len(text)
}

// operatorSize returns the length of the operator at the start of text, the longest that fits.
func operatorSize(text []byte) int {
	if len(text) >= 3 {
		switch string(text[:3]) {
		case "&^=", "<<=", ">>=", "...":
			return 3
		}
	}
	if len(text) >= 2 {
		switch string(text[:2]) {
		case "==", "!=", "<=", ">=", ":=", "&&", "||", "<-", "++", "--", "<<", ">>", "&^", "+=", "-=", "*=", "/=", "%=",
			"&=", "|=", "^=":
			return 2
		}
	}
	return 1
}

// endsStatement reports whether a line end after a token ends a statement.
func endsStatement(token []byte) bool {
	switch c := token[0]; {
	case c == '"' || c == '`' || c == '\'' || digit(c) || c == '.' && len(token) > 1 && digit(token[1]):
		return true
	case c == ')' || c == ']' || c == '}':
		return true
	case !letter(c):
		return string(token) == "++" || string(token) == "--"
	}
	switch string(token) {
	case "case", "chan", "const", "default", "defer", "else", "for", "func", "go", "goto", "if", "import", "interface",
		"map", "package", "range", "select", "struct", "switch", "type", "var":
		return false
	}
	return true
}

// letter reports whether a byte belongs to a letter: one in ASCII, the underscore, or one of several bytes.
func letter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c >= utf8.RuneSelf }

// digit reports whether a byte is a decimal digit.
func digit(c byte) bool { return '0' <= c && c <= '9' }
