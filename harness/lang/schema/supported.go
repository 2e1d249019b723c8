package schema

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// supported returns an error if a schema has a keyword that validation does not check, or a value of another type than
// validation expects. The cause is then a jsonschema tag in the settings of an entry of the catalogue.
func supported(s any) error {
	o, ok := s.(Object)
	if _, boolean := s.(bool); boolean {
		return nil
	}
	if !ok {
		return fmt.Errorf("%T in place of a schema", s)
	}
	for _, keyword := range slices.Sorted(maps.Keys(o)) {
		if err := supportedKeyword(keyword, o[keyword]); err != nil {
			return fmt.Errorf("%s: %w", keyword, err)
		}
	}
	return nil
}

func supportedKeyword(keyword string, v any) error {
	ok := true
	switch keyword {
	case "description", "default", "title", "const":
	case "enum":
		_, ok = v.([]any)
	case "required":
		ok = isTexts(v)
	case "uniqueItems":
		_, ok = v.(bool)
	case "type":
		ok = slices.Contains([]any{"null", "boolean", "string", "array", "object", "number", "integer"}, v)
	case "minimum", "exclusiveMinimum", "maximum", "exclusiveMaximum", "minItems", "maxItems", "minLength", "maxLength",
		"minProperties":
		_, ok = number(v)
	case "pattern":
		text, _ := v.(string)
		_, err := regexp.Compile(text)
		return err
	case "dependentRequired":
		all, isMap := v.(Object)
		ok = isMap
		for _, names := range all {
			ok = ok && isTexts(names)
		}
	case "properties":
		all, isMap := v.(Object)
		ok = isMap
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if err := supported(all[name]); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	case "additionalProperties", "propertyNames", "items", "if", "then", "else":
		return supported(v)
	default:
		return fmt.Errorf("the checker of specs does not know this keyword")
	}
	if !ok {
		return fmt.Errorf("unexpected value %v", v)
	}
	return nil
}

// isTexts reports whether v is a list of strings.
func isTexts(v any) bool {
	list, ok := v.([]any)
	return ok && !slices.ContainsFunc(list, func(item any) bool { _, text := item.(string); return !text })
}
