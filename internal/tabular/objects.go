package tabular

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// JSON writes each object as JSON on its own line. It does not escape the characters that are special only in HTML.
func JSON[T any](w io.Writer, objects ...T) error {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	for _, o := range objects {
		if err := out.Encode(o); err != nil {
			return err
		}
	}
	return nil
}

// Flatten returns a listing with a row for each object and a column for each key of their JSON, in the order of the
// JSON. Nested keys are joined by dots, and the items of a list by spaces. If an object lacks a key, its cell is empty.
func Flatten[T any](objects []T) (*Listing, error) {
	table := &Listing{}
	var flat []map[string]string
	for _, o := range objects {
		text, err := json.Marshal(o)
		if err != nil {
			return nil, err
		}
		fields, err := flatten("", text)
		if err != nil {
			return nil, err
		}
		values := map[string]string{}
		after := 0 // index of the column after the object's previous key; a new key is inserted here
		for _, f := range fields {
			values[f.key] = f.value
			at := slices.Index(table.Head, f.key)
			if at < 0 {
				at = after
				table.Head = slices.Insert(table.Head, at, f.key)
			}
			after = at + 1
		}
		flat = append(flat, values)
	}
	for _, values := range flat {
		row := make([]string, len(table.Head))
		for i, key := range table.Head {
			row[i] = values[key]
		}
		table.Add(row...)
	}
	return table, nil
}

// field is the key and the cell of a column, for one object.
type field struct{ key, value string }

// flatten lists the fields of a JSON value in their order. A value that is not an object is one field.
func flatten(key string, text []byte) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return members(key, d)
	case json.Delim('['):
		var list []any
		if err := json.Unmarshal(text, &list); err != nil {
			return nil, err
		}
		words := make([]string, len(list))
		for i, v := range list {
			words[i] = fmt.Sprint(v)
		}
		return []field{{key, strings.Join(words, " ")}}, nil
	case nil:
		return []field{{key, ""}}, nil
	}
	return []field{{key, fmt.Sprint(token)}}, nil
}

// members lists the fields of an object whose opening brace has been read.
func members(key string, d *json.Decoder) ([]field, error) {
	var out []field
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		path := fmt.Sprint(name)
		if key != "" {
			path = key + "." + path
		}
		fields, err := flatten(path, value)
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, nil
}
