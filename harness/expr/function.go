package expr

// FuncDoc documents one function of the language.
type FuncDoc struct {
	Name      string
	Signature string // name and arguments, such as curve({label: value, ...}, list?)
	Says      string // description of the value that it returns
	Example   string // a valid assertion that uses the function
}

// function is a function of the expression language, with its documentation.
type function struct {
	FuncDoc
	least, most int  // smallest and largest number of arguments
	curves      int  // how many of the first arguments are curves
	column      int  // the position of the argument that is a column's name, from 1; 0 if there is none
	labels      bool // whether the first argument is a map of labels, such as {C: 10}
	other       bool // whether the function reads another experiment
	decides     bool // whether the function returns a truth value that can decide an assertion
	call        func(r *reader, args []any) (any, error)
}
