// Package printed reads the numbers that a paper printed: a small CSV file next to a spec, with one heading line. Its
// first column names the rows, by the value of a label such as C.
package printed

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Numbers contains the numbers of a CSV file. A cell is a float64 if its text is a number, otherwise a string.
type Numbers struct {
	Name string
	Head []string
	Rows [][]any // each row has as many cells as Head
}

// Parse reads a text in CSV. name is the file's name, for error messages.
func Parse(name string, data []byte) (*Numbers, error) {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment = '#'
	r.TrimLeadingSpace = true
	head, err := r.Read()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s:1: the file is empty; it needs a heading line", name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t := &Numbers{Name: name, Head: head}
	seen := map[string]bool{}
	for _, h := range head {
		if h == "" || seen[h] {
			return nil, fmt.Errorf("%s:1: the heading %q is empty or repeated", name, h)
		}
		seen[h] = true
	}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		row := make([]any, len(record))
		for i, text := range record {
			row[i] = cell(text)
		}
		t.Rows = append(t.Rows, row)
	}
}

func cell(text string) any {
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
		return v
	}
	return text
}

// Column returns the index of the column with a heading, or −1 if there is none.
func (t *Numbers) Column(head string) int {
	for i, h := range t.Head {
		if h == head {
			return i
		}
	}
	return -1
}

// Find returns the row whose first cell is key, or nil if there is none. If key is a number, Find also returns the row
// whose first cell is nearest to it, within half a percent, because papers print rounded numbers.
func (t *Numbers) Find(key any) []any {
	var best []any
	distance := 0.005
	for _, row := range t.Rows {
		if row[0] == key {
			return row
		}
		a, isA := row[0].(float64)
		b, isB := key.(float64)
		if !isA || !isB || a == 0 {
			continue
		}
		if d := math.Abs(a-b) / math.Abs(a); d <= distance {
			best, distance = row, d
		}
	}
	return best
}
