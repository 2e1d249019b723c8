package lang

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxTitle bounds the words of a definition's name; longer ones end in a digest of the whole.
const maxTitle = 60

// title names a shape by what it accepts, such as number-above-0, or grid-or-number-above-0.
func title(at *shape) string {
	text, exact := words(at)
	text = strings.Trim(noWord.ReplaceAllString(text, "-"), "-")
	if exact && len(text) <= maxTitle {
		return text
	}
	if len(text) > maxTitle {
		text = strings.TrimRight(text[:maxTitle], "-")
	}
	return text + "-" + digest(at.text)
}

// noWord matches characters that no name has.
var noWord = regexp.MustCompile(`[^A-Za-z0-9.]+`)

// digest is a short text that differs where texts do.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:3])
}

// words describe a shape; exact if they say all that it has.
func words(at *shape) (text string, exact bool) {
	below := func(key string) (string, bool) {
		p, ok := at.keywords[key].(part)
		if !ok {
			return "", true
		}
		if p.shape == nil {
			return fmt.Sprint(p.plain), true
		}
		text, exact := words(p.shape)
		return text, exact && len(p.notes) == 0
	}
	has := func(keys ...string) bool { // and nothing else
		return slices.Equal(slices.Sorted(maps.Keys(at.keywords)), keys)
	}
	if condition, ok := at.keywords["if"].(part); ok && condition.shape != nil {
		otherwise, exactElse := below("else")
		then, exactThen := below("then")
		required, _ := condition.shape.keywords["required"].([]any)
		switch {
		case slices.Contains(required, any(gridKey)):
			return "grid-or-" + otherwise, exactElse && has("else", "if", "then")
		case condition.shape.keywords["type"] == "null":
			return "null-or-" + otherwise, exactElse && has("else", "if")
		}
		return then + "-or-" + otherwise, exactThen && exactElse && has("else", "if", "then") &&
			condition.shape.keywords["type"] != nil && len(condition.shape.keywords) == 1
	}
	if values, ok := at.keywords["enum"].([]any); ok {
		return "one-of-" + strings.Join(strings.Fields(strings.Trim(fmt.Sprint(values), "[]")), "-"), has("enum", "type")
	}
	switch at.keywords["type"] {
	case "number", "integer":
		return bounded(at)
	case "array":
		items, exact := below("items")
		return "list-of-" + items, exact && has("items", "minItems", "type") && fmt.Sprint(at.keywords["minItems"]) == "1"
	case "object":
		properties, _ := at.keywords["properties"].(map[string]part)
		if grid, ok := properties[gridKey]; ok && grid.shape != nil {
			list, exact := words(grid.shape)
			return "grid-" + list, exact && len(properties) == 1
		}
		return "map-of-" + strings.Join(slices.Sorted(maps.Keys(properties)), "-"), false
	case "string":
		return "text", has("type")
	case nil:
		return "part", false
	}
	return fmt.Sprint(at.keywords["type"]), has("type")
}

// bounded describes a number.
func bounded(at *shape) (text string, exact bool) {
	text = fmt.Sprint(at.keywords["type"])
	known := 1
	for _, b := range []struct{ key, word string }{
		{"exclusiveMinimum", "above"}, {"minimum", "from"}, {"exclusiveMaximum", "below"}, {"maximum", "to"},
	} {
		if limit, ok := at.keywords[b.key]; ok {
			if x, ok := limit.(float64); ok {
				limit = strconv.FormatFloat(x, 'f', -1, 64)
			}
			text += fmt.Sprintf("-%s-%v", b.word, limit)
			known++
		}
	}
	return text, known == len(at.keywords)
}
