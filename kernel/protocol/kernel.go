// Package protocol implements Jupyter's messaging protocol (version 5.3) for a kernel: five sockets, signed messages,
// one cell at a time, interrupts and a history. It does not interpret cells.
//
//	c, err := protocol.ReadConnection(file)
//	err = protocol.Serve(ctx, c, kernel) // until a front end shuts it down
package protocol

import "context"

// Kernel executes cells. Its methods are called one at a time. An interrupt ends the context of Execute.
type Kernel interface {
	Info() Info
	// Execute executes a cell. If the error is an *Error, the front end shows its name and trace; otherwise it shows the
	// text of the error.
	Execute(ctx context.Context, code string, out Output) error
	// Complete returns the texts that may be written at the cursor, which is an offset in bytes.
	Complete(code string, cursor int) Completion
	// Inspect returns an explanation, in Markdown, of the word at the cursor. It returns "" if the word is unknown.
	Inspect(code string, cursor int) string
	// Whole reports whether a cell is complete. If the cell is not complete, it also returns the indent of the next line.
	Whole(code string) (complete bool, indent string)
}

// Info describes a kernel.
type Info struct {
	Name, Version string
	Language      Language
	Banner        string
	Help          []Link
}

// Language describes the language of the cells.
type Language struct {
	Name      string `json:"name"`
	Version   string `json:"version"`
	MIMEType  string `json:"mimetype"`
	Extension string `json:"file_extension"`
	Pygments  string `json:"pygments_lexer,omitempty"`
	Mirror    string `json:"codemirror_mode,omitempty"`
}

// Link is an entry of a front end's help menu.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Completion lists the texts that may replace code[Start:End].
type Completion struct {
	Matches    []string
	Kinds      []string // kind of each match, such as function; nil: not known
	Start, End int
}

// Output shows the output of a cell. It is safe for concurrent use.
type Output interface {
	// Print writes to the cell's standard output.
	Print(text string)
	// Warn writes to the cell's standard error.
	Warn(text string)
	// Display shows data, given by media type. If id is not "", Update can replace the data later.
	Display(id string, data map[string]string)
	// Update replaces the data of the display with this id.
	Update(id string, data map[string]string)
	// Clear removes the cell's output as soon as the next output arrives.
	Clear()
}

// Error is an error of a cell as Jupyter shows it.
type Error struct {
	Name, Value string
	Trace       []string // lines that the front end shows below the error
}

func (e *Error) Error() string { return e.Name + ": " + e.Value }
