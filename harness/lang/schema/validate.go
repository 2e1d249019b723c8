package schema

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
)

// mismatch is a keyword of a schema that a value does not meet.
type mismatch struct {
	keyword string
	at      []string // path of the value, within the checked value that contains it
	steps   []string // where the keyword's schema is in the whole schema: the steps of a JSON pointer
	names   []string // keys that are missing (required, dependentRequired) or unknown (additionalProperties)
	because string   // dependentRequired: the key that requires others
	number  int      // maxLength, minProperties: the number that the value has; uniqueItems: index of the repeated item
	limit   int      // maxLength, minProperties: the number in the schema
}

// validation collects the mismatches of a value with a schema. It supports only some keywords of JSON Schema (draft
// 2020-12), which the function supported checks, and follows the standard for these. If type, const or enum does not
// match, it reports no other keyword of that schema.
type validation struct {
	list []mismatch
}

// matches reports whether a value, made of plain values as tree.Value returns them, matches a schema.
func matches(s, v any) bool {
	var c validation
	c.check(s, v, nil, nil)
	return len(c.list) == 0
}

// extended returns a path with more steps. The result shares no memory with path, so that a later call cannot change
// it.
func extended(path []string, step ...string) []string {
	return append(path[:len(path):len(path)], step...)
}

// check compares a value with a schema: an Object or a boolean.
func (c *validation) check(schema, v any, at, steps []string) {
	s, ok := schema.(Object)
	if !ok {
		if schema == false {
			c.list = append(c.list, mismatch{keyword: "false", at: at, steps: steps})
		}
		return
	}
	fail := func(m mismatch) {
		m.at, m.steps = at, steps
		c.list = append(c.list, m)
	}
	if want, ok := s["type"]; ok && !ofType(v, want.(string)) {
		fail(mismatch{keyword: "type"})
		return
	}
	if want, ok := s["const"]; ok && !equal(v, want) {
		fail(mismatch{keyword: "const"})
		return
	}
	if list, ok := s["enum"].([]any); ok && !slices.ContainsFunc(list, func(want any) bool { return equal(v, want) }) {
		fail(mismatch{keyword: "enum"})
		return
	}
	switch v := v.(type) {
	case map[string]any:
		c.object(s, v, at, steps, fail)
	case []any:
		c.array(s, v, at, steps, fail)
	case string:
		text(s, v, fail)
	default:
		if x, ok := number(v); ok {
			bounded(s, x, fail)
		}
	}
	if condition, ok := s["if"]; ok {
		branch := "else"
		if matches(condition, v) {
			branch = "then"
		}
		if sub, ok := s[branch]; ok {
			c.check(sub, v, at, extended(steps, branch))
		}
	}
}

func (c *validation) object(s Object, v map[string]any, at, steps []string, fail func(mismatch)) {
	if least, ok := count(s, "minProperties"); ok && len(v) < least {
		fail(mismatch{keyword: "minProperties", number: len(v), limit: least})
	}
	if missing := lacking(v, s["required"]); missing != nil {
		fail(mismatch{keyword: "required", names: missing})
	}
	if all, ok := s["dependentRequired"].(Object); ok {
		for name, required := range all {
			if _, given := v[name]; !given {
				continue
			}
			if missing := lacking(v, required); missing != nil {
				fail(mismatch{keyword: "dependentRequired", names: missing, because: name})
			}
		}
	}
	properties, _ := s["properties"].(Object)
	additional, restricted := s["additionalProperties"]
	var unknown []string
	for name, value := range v {
		switch sub, known := properties[name]; {
		case known:
			c.check(sub, value, extended(at, name), extended(steps, "properties", name))
		case additional == false:
			unknown = append(unknown, name)
		case restricted:
			c.check(additional, value, extended(at, name), extended(steps, "additionalProperties"))
		}
	}
	if unknown != nil {
		fail(mismatch{keyword: "additionalProperties", names: unknown})
	}
	if names, ok := s["propertyNames"]; ok {
		for name := range v {
			c.check(names, name, nil, extended(steps, "propertyNames"))
		}
	}
}

// lacking returns the keys of a list in a schema that v does not have.
func lacking(v map[string]any, list any) []string {
	var missing []string
	names, _ := list.([]any)
	for _, name := range names {
		if _, ok := v[name.(string)]; !ok {
			missing = append(missing, name.(string))
		}
	}
	return missing
}

func (c *validation) array(s Object, v []any, at, steps []string, fail func(mismatch)) {
	if least, ok := count(s, "minItems"); ok && len(v) < least {
		fail(mismatch{keyword: "minItems"})
	}
	if most, ok := count(s, "maxItems"); ok && len(v) > most {
		fail(mismatch{keyword: "maxItems"})
	}
	if s["uniqueItems"] == true {
		seen := map[string]bool{}
		for i, item := range v {
			key := identity(item)
			if seen[key] {
				fail(mismatch{keyword: "uniqueItems", number: i})
				break
			}
			seen[key] = true
		}
	}
	if items, ok := s["items"]; ok {
		for i, item := range v {
			c.check(items, item, extended(at, strconv.Itoa(i)), extended(steps, "items"))
		}
	}
}

func text(s Object, v string, fail func(mismatch)) {
	if least, ok := count(s, "minLength"); ok && utf8.RuneCountInString(v) < least {
		fail(mismatch{keyword: "minLength"})
	}
	if most, ok := count(s, "maxLength"); ok && utf8.RuneCountInString(v) > most {
		fail(mismatch{keyword: "maxLength", number: utf8.RuneCountInString(v), limit: most})
	}
	if pattern, ok := s["pattern"].(string); ok && !regexp.MustCompile(pattern).MatchString(v) {
		fail(mismatch{keyword: "pattern"})
	}
}

// bounded checks the bounds of a number.
func bounded(s Object, v *big.Float, fail func(mismatch)) {
	for _, b := range []struct {
		keyword string
		broken  func(order int) bool
	}{
		{"minimum", func(order int) bool { return order < 0 }},
		{"exclusiveMinimum", func(order int) bool { return order <= 0 }},
		{"maximum", func(order int) bool { return order > 0 }},
		{"exclusiveMaximum", func(order int) bool { return order >= 0 }},
	} {
		if limit, ok := number(s[b.keyword]); ok && b.broken(v.Cmp(limit)) {
			fail(mismatch{keyword: b.keyword})
		}
	}
}

// count returns the value of a keyword that is a whole number, such as maxLength.
func count(s Object, keyword string) (int, bool) {
	x, ok := number(s[keyword])
	if !ok {
		return 0, false
	}
	n, _ := x.Int64()
	return int(n), true
}

// number returns the exact value of a finite number.
func number(v any) (*big.Float, bool) {
	switch v := v.(type) {
	case int:
		return new(big.Float).SetInt64(int64(v)), true
	case uint64:
		return new(big.Float).SetUint64(v), true
	case float64:
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			return new(big.Float).SetFloat64(v), true
		}
	}
	return nil, false
}

// ofType reports whether a value has a type of JSON Schema.
func ofType(v any, want string) bool {
	switch v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	x, ok := number(v)
	return ok && (want == "number" || want == "integer" && x.IsInt())
}

// equal reports whether two plain values are equal. Numbers of different types are equal if their values are.
func equal(a, b any) bool {
	if s, ok := a.(string); ok {
		return s == b
	}
	return identity(a) == identity(b)
}

// identity returns a text that is the same for equal values only.
func identity(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		out := "["
		for _, item := range v {
			out += identity(item) + ","
		}
		return out + "]"
	case map[string]any:
		out := "{"
		for _, key := range slices.Sorted(maps.Keys(v)) {
			out += strconv.Quote(key) + ":" + identity(v[key]) + ","
		}
		return out + "}"
	}
	if x, ok := number(v); ok {
		if x.Sign() == 0 {
			return "0" // also for -0
		}
		return x.Text('p', 0)
	}
	return fmt.Sprint(v)
}
