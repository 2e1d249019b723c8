package crate

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// listed is a file that the metadata list.
type listed struct {
	name   string
	size   int64
	sha256 string
}

// node is an entity of a crate that is read. The keys of JSON-LD may have one value or a list of values.
type node struct {
	ID          string  `json:"@id"`
	Type        oneOf   `json:"@type"`
	About       pointer `json:"about"`
	ConformsTo  pointer `json:"conformsTo"`
	HasPart     pointer `json:"hasPart"`
	ContentSize any     `json:"contentSize"`
	SHA256      string  `json:"sha256"`
}

// oneOf is a text or a list of texts.
type oneOf []string

// UnmarshalJSON decodes a text or a list of texts.
func (o *oneOf) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = oneOf{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// pointer contains the identifiers of the entities to which a property refers.
type pointer []string

// UnmarshalJSON decodes a reference, a list of references, or another value, to which it gives no identifiers.
func (p *pointer) UnmarshalJSON(text []byte) error {
	var one struct {
		ID string `json:"@id"`
	}
	var many []json.RawMessage
	if json.Unmarshal(text, &one) == nil {
		*p = pointer{one.ID}
	} else if json.Unmarshal(text, &many) == nil {
		for _, item := range many {
			if json.Unmarshal(item, &one) == nil {
				*p = append(*p, one.ID)
			}
		}
	}
	return nil
}

// metadata reads the metadata and returns the files that they list.
func (o *Opened) metadata() ([]listed, error) {
	size, ok := o.sizes[Metadata]
	switch {
	case !ok:
		return nil, fmt.Errorf("%w: it has no %s", ErrNoCrate, Metadata)
	case size > mostMetadata:
		return nil, fmt.Errorf("%s has %d bytes; accepted: at most %d", Metadata, size, mostMetadata)
	}
	text, err := o.read(Metadata)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", Metadata, err)
	}
	var all struct {
		Graph []node `json:"@graph"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", Metadata, err)
	}
	byID := map[string]node{}
	for _, n := range all.Graph {
		if _, twice := byID[n.ID]; twice {
			return nil, fmt.Errorf("%s: two entities have the @id %q", Metadata, n.ID)
		}
		byID[n.ID] = n
	}
	about := byID[Metadata]
	first := strings.TrimSuffix(specification, "1") // any version 1
	if !slices.ContainsFunc(about.ConformsTo, func(s string) bool { return strings.HasPrefix(s, first) }) {
		return nil, fmt.Errorf("%w: %s does not say that it conforms to %s", ErrNoCrate, Metadata, specification)
	}
	if len(about.About) != 1 || !slices.Contains(byID[about.About[0]].Type, "Dataset") {
		return nil, fmt.Errorf("%w: %s describes no root data set", ErrNoCrate, Metadata)
	}
	return listOf(byID, byID[about.About[0]])
}

// listOf returns the files that a root data set lists as its parts.
func listOf(byID map[string]node, root node) (out []listed, err error) {
	for _, id := range root.HasPart {
		n, ok := byID[id]
		if !ok {
			return nil, fmt.Errorf("%s: hasPart names %q, but no entity has this @id", Metadata, id)
		}
		if !slices.Contains(n.Type, "File") {
			continue
		}
		name := strings.TrimPrefix(id, "./")
		if err := checkName(name); err != nil {
			return nil, fmt.Errorf("%s: %w", Metadata, err)
		}
		size, err := strconv.ParseInt(fmt.Sprint(n.ContentSize), 10, 64)
		if number, ok := n.ContentSize.(float64); ok {
			size, err = int64(number), nil
		}
		if err != nil || n.SHA256 == "" {
			return nil, fmt.Errorf("%s: %s lacks contentSize or sha256", Metadata, id)
		}
		out = append(out, listed{name, size, n.SHA256})
	}
	return out, nil
}
