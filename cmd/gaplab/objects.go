package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// printObjects writes the machine's formats of a verb's results: json, one object a line, or csv, the same objects
// with nested keys joined by a dot, a column for each key that any object has, and lists joined by blanks.
func printObjects[T any](w io.Writer, format string, objects []T) error {
	if format == "json" {
		out := json.NewEncoder(w)
		out.SetEscapeHTML(false)
		for _, o := range objects {
			if err := out.Encode(o); err != nil {
				return err
			}
		}
		return nil
	}
	var table listing
	var flat []map[string]string
	for _, o := range objects {
		fields, err := flatten(o)
		if err != nil {
			return err
		}
		values := map[string]string{}
		after := 0 // a key that is new stands behind the one before it
		for _, f := range fields {
			values[f.key] = f.value
			at := slices.Index(table.head, f.key)
			if at < 0 {
				at = after
				table.head = slices.Insert(table.head, at, f.key)
			}
			after = at + 1
		}
		flat = append(flat, values)
	}
	for _, values := range flat {
		row := make([]string, len(table.head))
		for i, key := range table.head {
			row[i] = values[key]
		}
		table.rows = append(table.rows, row)
	}
	return table.csv(w)
}

// field is one column of a flattened object.
type field struct{ key, value string }

// flatten lists the fields of an object in the order of its JSON.
func flatten(object any) ([]field, error) {
	text, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	return flattenJSON("", text)
}

func flattenJSON(key string, text []byte) ([]field, error) {
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
		fields, err := flattenJSON(path, value)
		if err != nil {
			return nil, err
		}
		out = append(out, fields...)
	}
	return out, nil
}
