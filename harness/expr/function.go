package expr

// FuncDoc documents one function of the language.
type FuncDoc struct {
	Name      string
	Signature string // such as curve({label: value, ...}, list?)
	Says      string // description of the value that it returns
	Example   string // example: a valid assertion
}

// function defines a function of the language.
type function struct {
	FuncDoc
	least, most int  // bounds on the number of arguments
	column      int  // the position of the argument that is a column's name, from 1; 0 if there is none
	labels      bool // whether the first argument is a map of labels
	other       bool // whether it reads another experiment
	decides     bool // whether it returns a truth value that can decide an assertion
	call        func(r *reader, args []any) (any, error)
}
