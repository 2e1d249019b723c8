package lang

import (
	"bytes"
	"maps"
	"slices"
)

// layoutWidth is the number of columns within which a value is kept on one line.
const layoutWidth = 118

// layout writes plain values as JSON that is easy to read and to diff: keys sorted, short values on one line.
func layout(v any) []byte {
	var out bytes.Buffer
	lay(&out, v, "", 0)
	out.WriteByte('\n')
	return out.Bytes()
}

// lay writes a value that begins in a column, on lines with an indent.
func lay(out *bytes.Buffer, v any, indent string, column int) {
	text := encode(v)
	if column+len(text) <= layoutWidth {
		out.WriteString(text)
		return
	}
	inner := indent + " "
	switch v := v.(type) {
	case object:
		for i, key := range slices.Sorted(maps.Keys(v)) {
			head := encode(key) + ": "
			out.WriteString(opening(i, "{") + inner + head)
			lay(out, v[key], inner, len(inner)+len(head))
		}
		out.WriteString("\n" + indent + "}")
	case []any:
		for i, item := range v {
			out.WriteString(opening(i, "[") + inner)
			lay(out, item, inner, len(inner))
		}
		out.WriteString("\n" + indent + "]")
	default:
		out.WriteString(text)
	}
}

// opening is what precedes an item of a map or list, up to its line.
func opening(i int, bracket string) string {
	if i == 0 {
		return bracket + "\n"
	}
	return ",\n"
}
