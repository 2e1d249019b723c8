package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// layoutWidth is the number of columns within which a value stays on one line.
const layoutWidth = 118

// Layout formats plain values as JSON that is easy to read and to compare: keys sorted, short values on one line.
func Layout(v any) []byte {
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
	case Object:
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

// opening returns the text before item i of a map or list, up to the item's line.
func opening(i int, bracket string) string {
	if i == 0 {
		return bracket + "\n"
	}
	return ",\n"
}

// encode formats a plain value as JSON with sorted keys.
func encode(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("schema: " + err.Error()) // a schema holds plain values only
	}
	return strings.TrimSpace(out.String())
}
