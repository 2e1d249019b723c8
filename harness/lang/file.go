package lang

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/internal/nearest"
)

// The scales. ScaleOwn is the one scale of a file without scales.
const (
	ScaleSmoke = "smoke" // seconds, generated data
	ScaleQuick = "quick" // minutes
	ScalePaper = "paper" // the sizes of the paper
	ScaleOwn   = "own"
)

// scaleNames lists what the key scales accepts, smallest first.
func scaleNames() []string { return []string{ScaleSmoke, ScaleQuick, ScalePaper} }

// fixedKeys lists the keys that are the same at every scale.
func fixedKeys() []string { return []string{"apiVersion", "id", "paper", "scales"} }

// File is a spec file that has passed every check at every scale.
type File struct {
	Name string // as given to Parse
	ID   string // the experiment's
	Hash string // SHA-256 of the text, in hexadecimal
	// whether it comes with the program, which who parses it knows: such a spec may run other programs unasked
	BuiltIn bool

	grammar *grammar
	root    *yaml.Node // without scales
	scales  *yaml.Node // nil if the file has none
}

// Parse reads a spec, checks it at every scale that it offers, and reports all its faults together, each a *Fault.
// File is the name that errors and File.Name show; nothing is read from it.
func Parse(file string, data []byte, cat Catalogue) (*File, error) {
	parser, err := NewParser(cat)
	if err != nil {
		return nil, err
	}
	return parser.Parse(file, data)
}

// Parser reads many files with one catalogue. It keeps the schemas of what they name, each compiled when it is first
// named. It is safe for concurrent use.
type Parser struct{ grammar *grammar }

// NewParser checks a catalogue. An error is a fault of the catalogue.
func NewParser(cat Catalogue) (*Parser, error) {
	g, err := newGrammar(cat)
	if err != nil {
		return nil, err
	}
	return &Parser{g}, nil
}

// Parse does what the function Parse does.
func (r *Parser) Parse(file string, data []byte) (*File, error) {
	p := &faults{file: file}
	root := read(p, data)
	if root == nil {
		return nil, p.err()
	}
	if isNull(root) {
		p.add(0, "", "empty; accepted: one YAML document")
		return nil, p.err()
	}
	inspect(p, root, nil)
	return r.checked(p, root, data)
}

// checked is the file of a tree, which was read from a text, checked at every scale.
func (r *Parser) checked(p *faults, root *yaml.Node, text []byte) (*File, error) {
	g, file := r.grammar, p.file
	f := &File{Name: file, Hash: fmt.Sprintf("%x", sha256.Sum256(text)), grammar: g, root: root}
	if k, v := entry(root, "scales"); k != nil {
		bare := *root
		drop(&bare, "scales")
		f.root, f.scales = &bare, v
		checkScales(p, k.Line, v)
	}
	if bad := sections(p.list); !bad[""] {
		bare := *f.root
		for key := range bad {
			drop(&bare, key)
		}
		sound := &File{Name: file, grammar: g, root: &bare, scales: f.scales}
		if bad["scales"] {
			sound.scales = nil
		}
		sound.checkAll(p, bad)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	f.ID = at(root, "id").Value
	return f, nil
}

// checkScales refuses overlays of unknown scales, and keys that must be the same at every scale.
func checkScales(p *faults, line int, scales *yaml.Node) {
	if scales.Kind != yaml.MappingNode {
		p.add(line, "scales", "got %s; accepted: a map with %s", quoteNode(scales), strings.Join(scaleNames(), ", "))
		return
	}
	for i := 0; i < len(scales.Content); i += 2 {
		k, over := scales.Content[i], scales.Content[i+1]
		key := join("scales", k.Value)
		if !slices.Contains(scaleNames(), k.Value) {
			p.add(k.Line, key, "unknown scale%s; accepted: %s", nearest.DidYouMean(k.Value, scaleNames()),
				strings.Join(scaleNames(), ", "))
			continue
		}
		if over.Kind != yaml.MappingNode && !isNull(over) {
			p.add(over.Line, key, "got %s; accepted: a map of the keys that differ", quoteNode(over))
		}
		for _, fixed := range fixedKeys() {
			if k, _ := entry(over, fixed); k != nil {
				p.add(k.Line, join(key, fixed), "cannot differ between scales; accepted: at the top level only")
			}
		}
	}
}

// checkAll checks the experiment at each scale. Faults in sections that are known to be bad (and missing here) are not
// reported again; those that the file does not have at its largest scale are reported with the scale.
func (f *File) checkAll(p *faults, bad map[string]bool) {
	known := make(map[string]bool)
	for i, scale := range slices.Backward(f.Scales()) {
		q := &faults{file: f.Name}
		f.grammar.build(q, f.at(scale), scale)
		for _, e := range q.list {
			if bad[section(e.Key)] || known[e.Error()] {
				continue
			}
			known[e.Error()] = true
			if i < len(f.Scales())-1 {
				e.Reason += " (at scale " + scale + ")"
			}
			p.list = append(p.list, e)
		}
	}
}

// Scales lists the scales that the file offers, smallest first: paper and those of its key scales, or own alone if it
// has no such key.
func (f *File) Scales() []string {
	if f.scales == nil {
		return []string{ScaleOwn}
	}
	return slices.DeleteFunc(scaleNames(), func(name string) bool {
		return name != ScalePaper && at(f.scales, name) == nil
	})
}

// At returns the experiment at a scale, with the items of --set carried out in order and everything checked again.
//
// A file without scales is the same at each of smoke, quick, paper and own, and its scale is own. Otherwise the scale
// must be one of Scales. The empty scale is the last of Scales: paper, or own.
//
// An item is key=value with a dotted key and a value in YAML: stop.passes=5, solvers.0.eta=0.1, or with the variant's
// name solvers.eg.eta=0.1. It replaces the value whole; null removes the key. A new dataset.name drops the parameters
// of the old one, so give it before they are set.
func (f *File) At(scale string, set []string) (*Spec, error) {
	offered := f.Scales()
	switch {
	case scale == "", f.scales == nil && slices.Contains(append(scaleNames(), ScaleOwn), scale):
		scale = offered[len(offered)-1]
	case !slices.Contains(offered, scale):
		return nil, fmt.Errorf("%s: no scale %q%s; accepted: %s", f.Name, scale, nearest.DidYouMean(scale, offered),
			strings.Join(offered, ", "))
	}
	p := &faults{file: f.Name, sets: set}
	root := f.at(scale)
	if len(set) > 0 {
		root = clone(root)
	}
	for i, item := range set {
		assign(p, root, item, -(i + 1))
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	s := f.grammar.build(p, root, scale)
	if err := p.err(); err != nil {
		return nil, err
	}
	s.BuiltIn, s.Hash, s.Overrides = f.BuiltIn, f.Hash, slices.Clone(set)
	return s, nil
}

// at returns the tree of a scale.
func (f *File) at(scale string) *yaml.Node {
	over := at(f.scales, scale)
	if over == nil {
		return f.root
	}
	return overlay(f.root, over)
}

// section is the top-level key that a dotted path starts with.
func section(key string) string {
	head, _, _ := strings.Cut(key, ".")
	return head
}

// sections is the set of top-level keys that have faults.
func sections(list []*Fault) map[string]bool {
	bad := make(map[string]bool)
	for _, e := range list {
		bad[section(e.Key)] = true
	}
	return bad
}
