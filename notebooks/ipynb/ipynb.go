// Package ipynb reads Jupyter notebooks and checks whether an execution succeeded. The kernel of Go cells does not
// report a panic or a failed test as an error of the cell: it prints them to standard error, and the next cell runs. So
// the outputs of an unattended execution must be checked.
//
//	nb, err := ipynb.ReadFile("eg.executed.ipynb")
//	if err != nil {
//		return err
//	}
//	for _, p := range nb.CheckExecuted() {
//		fmt.Println(p)
//	}
//
// The package never executes a notebook and never writes one.
package ipynb

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// FigureTag is the tag, in a cell's metadata, of a code cell that must show a figure.
const FigureTag = "figure"

// Notebook is a notebook of format 4.
type Notebook struct {
	Format   int    `json:"nbformat"`
	Cells    []Cell `json:"cells"`
	Metadata struct {
		Kernel struct {
			Name string `json:"name"`
		} `json:"kernelspec"`
	} `json:"metadata"`
}

// Cell is a cell of a notebook.
type Cell struct {
	Type     string   `json:"cell_type"` // code, markdown, raw
	Source   Text     `json:"source"`
	Metadata Metadata `json:"metadata"`
	Count    *int     `json:"execution_count"` // nil: the cell was not executed
	Outputs  []Output `json:"outputs"`
}

// Metadata is the metadata of a cell.
type Metadata struct {
	Tags []string `json:"tags"`
}

// Output is one output of a code cell. The field Type determines which other fields are set.
type Output struct {
	Type      string                     `json:"output_type"` // stream, display_data, execute_result, error
	Name      string                     `json:"name"`        // for stream: stdout or stderr
	Text      Text                       `json:"text"`        // for stream
	Data      map[string]json.RawMessage `json:"data"`        // for display_data, execute_result: the data by media type
	ErrorName string                     `json:"ename"`       // for error: its kind
	Error     string                     `json:"evalue"`      // for error: its message
	Traceback []string                   `json:"traceback"`   // for error: lines
}

// Text is a string that a notebook may store as one string or as a list of lines.
type Text string

// UnmarshalJSON accepts a string or a list of lines.
func (t *Text) UnmarshalJSON(b []byte) error {
	var lines []string
	if err := json.Unmarshal(b, &lines); err == nil {
		*t = Text(strings.Join(lines, ""))
		return nil
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return fmt.Errorf("a text must be a string or a list of strings: %w", err)
	}
	*t = Text(s)
	return nil
}

// HTML returns the data of the output in text/html, or "" if there are none.
func (o Output) HTML() string { return o.Of("text/html") }

// Of returns the data of the output in a media type. It returns "" if there are none, or if they are not a text.
func (o Output) Of(media string) string {
	var t Text
	if err := json.Unmarshal(o.Data[media], &t); err != nil {
		return "" // no such data, or not a text
	}
	return string(t)
}

// Read parses a notebook. It returns an error if b is not JSON, or not a notebook of format 4.
func Read(b []byte) (*Notebook, error) {
	var nb Notebook
	if err := json.Unmarshal(b, &nb); err != nil {
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	if nb.Format != 4 {
		return nil, fmt.Errorf("nbformat is %d; only notebooks of format 4 are read", nb.Format)
	}
	return &nb, nil
}

// ReadFile reads the notebook in a file. Errors name the file.
func ReadFile(path string) (*Notebook, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	nb, err := Read(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}
