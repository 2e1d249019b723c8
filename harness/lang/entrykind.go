package lang

// EntryKind is a kind of entry of the catalogue: data set, model or solver.
type EntryKind int

// The kinds of entries.
const (
	DatasetKind EntryKind = iota
	ModelKind
	SolverKind
)

// EntryKinds lists all kinds.
func EntryKinds() []EntryKind { return []EntryKind{DatasetKind, ModelKind, SolverKind} }

// String returns the kind's word in the language: dataset, model or solver.
func (k EntryKind) String() string { return [...]string{"dataset", "model", "solver"}[k] }

// Keys lists the keys by which an item of a spec names its entry in the catalogue: name, and for data sets also format.
func (k EntryKind) Keys() []string {
	if k == DatasetKind {
		return []string{"name", "format"}
	}
	return []string{"name"}
}

// Find returns the entry of kind k with a name. key is the key that gives the name: name or format.
func (c Catalogue) Find(k EntryKind, key, name string) (Entry, bool) {
	return find(k.entries(c), name, key == "format")
}

// entries returns the catalogue's entries of the kind.
func (k EntryKind) entries(c Catalogue) []Entry {
	return [...][]Entry{c.Datasets, c.Models, c.Solvers}[k]
}

// about returns a description of an item of the kind.
func (k EntryKind) about() string {
	return [...]string{"the data", "the model and its loss", "an algorithm and its parameters"}[k]
}

// definition returns the name of an entry's schema.
func (k EntryKind) definition(e Entry) string {
	if e.Format {
		return "format-" + e.Name
	}
	return k.String() + "-" + e.Name
}
