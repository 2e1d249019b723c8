package schema

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// layoutWidth is the line width, in characters, up to which a value stays on one line.
const layoutWidth = 118

// Layout formats plain values as JSON that is easy to read and to compare: keys sorted, short values on one line.
func Layout(v any) []byte {
	var out bytes.Buffer
	lay(&out, v, "", 0)
	out.WriteByte('\n')
	return out.Bytes()
}

// lay writes a value that begins in the given column. If the value needs several lines, they have the given indent. An
// empty list or map is always on one line.
func lay(out *bytes.Buffer, v any, indent string, column int) {
	text := encode(v)
	if text == "{}" || text == "[]" || column+len(text) <= layoutWidth {
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

// opening returns the text between item i of a map or list and the item before it; for item 0, the opening bracket.
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
		panic("schema: " + err.Error()) // impossible: a schema contains only plain values
	}
	return strings.TrimSpace(out.String())
}
