// Package protocol speaks Jupyter's messaging protocol (version 5.3) for a kernel: five sockets, signed messages, one
// cell at a time, interrupts, history. It knows nothing of what cells mean.
//
//	c, err := protocol.ReadConnection(file)
//	err = protocol.Serve(ctx, c, kernel) // until a front end shuts it down
package protocol

import "context"

// Kernel is what executes cells. Calls do not overlap, but for Interrupt's effect: the context of Execute ends.
type Kernel interface {
	Info() Info
	// Execute executes a cell. An *Error is shown as one; other errors are shown by their text.
	Execute(ctx context.Context, code string, out Output) error
	// Complete says what could stand at the cursor, which counts bytes of code.
	Complete(code string, cursor int) Completion
	// Inspect is what is known of the word at the cursor, as Markdown; "" if nothing is.
	Inspect(code string, cursor int) string
	// Whole says whether a cell is complete, and how its next line is indented if not.
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
	Kinds      []string // what each match is, such as function; nil: not known
	Start, End int
}

// Output takes what a cell shows. It may be used from several goroutines.
type Output interface {
	// Print writes to the cell's standard output.
	Print(text string)
	// Warn writes to its standard error.
	Warn(text string)
	// Display shows data by media type; with an id, Update can replace it.
	Display(id string, data map[string]string)
	// Update replaces what a display of this id shows.
	Update(id string, data map[string]string)
	// Clear removes what the cell has shown, when the next output comes.
	Clear()
}

// Error is an error of a cell as Jupyter shows it.
type Error struct {
	Name, Value string
	Trace       []string // lines
}

func (e *Error) Error() string { return e.Name + ": " + e.Value }
