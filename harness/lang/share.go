package lang

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// leastShared is the length, as JSON, from which a part of a schema that occurs twice becomes a definition.
const leastShared = 80

// shared returns a schema that accepts the same values as s, in which parts that occur more than once are in $defs. The
// name of such a definition follows from what it accepts, so that a change in one noun's settings does not rename what
// others share. Descriptions and defaults stay at the keys.
func shared(s object) object {
	h := &sharing{shapes: map[string]*shape{}}
	defs := s["$defs"].(object)
	bare := maps.Clone(s)
	delete(bare, "$defs")
	root := h.part(bare, nil)
	named := map[string]part{}
	for _, name := range slices.Sorted(maps.Keys(defs)) {
		named[name] = h.part(defs[name], nil)
	}
	h.name()
	made := object{}
	for name, p := range named {
		made[name] = p.whole(referring)
	}
	for _, at := range h.shapes {
		if at.name != "" {
			made[at.name] = at.body(referring)
		}
	}
	out := root.whole(referring).(object)
	out["$defs"] = made
	return out
}

// sharing holds the parts of a schema, equal ones once.
type sharing struct {
	shapes map[string]*shape // by their texts
}

// part is a schema at one place: what is said of it there, and what it accepts.
type part struct {
	notes object // description, default
	shape *shape // nil: true or false
	plain any
}

// shape is what a schema accepts. In keywords, the schemas below it are parts, or maps and lists of parts.
type shape struct {
	keywords map[string]any
	text     string // all of it, as JSON
	uses     int    // places where it stands, in shapes that differ
	name     string // of its definition; empty if it has none
}

// part takes a schema apart. Above is what was said of the same values already, as JSON.
func (h *sharing) part(s any, above []string) part {
	full, ok := s.(object)
	if !ok {
		return part{plain: s}
	}
	notes := lifted(full)
	for key, v := range notes {
		if text := encode(v); slices.Contains(above, text) {
			delete(notes, key)
		} else {
			above = append(above[:len(above):len(above)], text)
		}
	}
	keywords := map[string]any{}
	for key, v := range full {
		switch key {
		case "description", "default":
		case "properties":
			below := map[string]part{}
			for name, sub := range v.(object) {
				if name == gridKey {
					below[name] = h.part(sub, above)
				} else {
					below[name] = h.part(sub, nil)
				}
			}
			keywords[key] = below
		case "allOf":
			var below []part
			for _, sub := range v.([]any) {
				below = append(below, h.part(sub, nil))
			}
			keywords[key] = below
		case "if", "then", "else", "items", "additionalProperties", "propertyNames":
			keywords[key] = h.part(v, above)
		default:
			keywords[key] = v
		}
	}
	return part{notes: notes, shape: h.unique(keywords)}
}

// lifted is what a schema says of its values, or, where it has two branches, what its second one says.
func lifted(s object) object {
	notes := object{}
	if other, ok := s["else"].(object); ok && other["properties"] == nil {
		notes = lifted(other)
	} else if ok {
		notes = lifted(object{"description": other["description"]})
	}
	for _, key := range []string{"description", "default"} {
		if v := s[key]; v != nil {
			notes[key] = v
		}
	}
	return notes
}

// unique finds the shape with these keywords.
func (h *sharing) unique(keywords map[string]any) *shape {
	made := &shape{keywords: keywords}
	made.text = encode(made.body(expanded))
	if found := h.shapes[made.text]; found != nil {
		return found
	}
	h.shapes[made.text] = made
	for _, p := range made.parts() {
		if p.shape != nil {
			p.shape.uses++
		}
	}
	return made
}

// parts are the parts directly below a shape.
func (at *shape) parts() (out []part) {
	for _, v := range at.keywords {
		switch v := v.(type) {
		case part:
			out = append(out, v)
		case []part:
			out = append(out, v...)
		case map[string]part:
			out = slices.AppendSeq(out, maps.Values(v))
		}
	}
	return out
}

// encode is a plain value as JSON, its keys sorted.
func encode(v any) string {
	var out strings.Builder
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("lang: schema: " + err.Error()) // only plain values are in it
	}
	return strings.TrimSpace(out.String())
}

// name gives definitions to the shapes that stand at several places.
func (h *sharing) name() {
	names := map[string][]*shape{}
	for _, at := range h.shapes {
		if at.uses > 1 && len(at.text) >= leastShared {
			text := title(at)
			names[text] = append(names[text], at)
		}
	}
	for text, of := range names {
		for _, at := range of {
			at.name = text
			if len(of) > 1 {
				at.name += "-" + digest(at.text)
			}
		}
	}
}

// body writes a shape out, and the parts below it by write.
func (at *shape) body(write func(part) any) object {
	out := object{}
	for key, v := range at.keywords {
		switch v := v.(type) {
		case part:
			out[key] = write(v)
		case []part:
			list := make([]any, len(v))
			for i, p := range v {
				list[i] = write(p)
			}
			out[key] = list
		case map[string]part:
			below := object{}
			for name, p := range v {
				below[name] = write(p)
			}
			out[key] = below
		default:
			out[key] = v
		}
	}
	return out
}

// expanded writes a part out with all that is below it.
func expanded(p part) any { return p.whole(expanded) }

// referring writes a part out with references to what has a definition.
func referring(p part) any {
	if p.shape == nil || p.shape.name == "" {
		return p.whole(referring)
	}
	out := maps.Clone(p.notes)
	out["$ref"] = "#/$defs/" + p.shape.name
	return out
}

// whole writes a part out, and those below it by write.
func (p part) whole(write func(part) any) any {
	if p.shape == nil {
		return p.plain
	}
	out := p.shape.body(write)
	maps.Copy(out, p.notes)
	return out
}
