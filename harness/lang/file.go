package lang

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/tree"
	"github.com/gaplab/gaplab/internal/nearest"
)

// Fault is one fault of a spec.
type Fault = tree.Fault

// File is a spec file that has passed every check at every scale.
type File struct {
	Name string // name of the file, as given to Parse
	ID   string // id of the experiment, such as eg/fig06
	Hash string // SHA-256 of the text, in hexadecimal
	// BuiltIn is set by the caller for specs that are built into the program. Such specs may run other programs without
	// asking the user.
	BuiltIn bool

	parser *Parser
	root   *yaml.Node // the tree without the key "scales"
	scales *yaml.Node // the value of the key "scales"; nil if the file has none
}

// Parse reads a spec, checks it at each of its scales, and reports all its faults together, each a *Fault. file is only
// the name in errors and in File.Name; Parse opens no file.
func Parse(file string, data []byte, c Catalogue) (*File, error) {
	parser, err := NewParser(c)
	if err != nil {
		return nil, err
	}
	return parser.Parse(file, data)
}

// longestSpec is the largest size of a spec in bytes. The tree of a text takes about ten times the memory of the text.
const longestSpec = 8 << 20

// Parse does the same as the function Parse, with the catalogue of the parser.
func (r *Parser) Parse(file string, data []byte) (*File, error) {
	p := &tree.Faults{File: file}
	if len(data) > longestSpec {
		p.Add(0, "", "the file has %d bytes; accepted: at most %d", len(data), longestSpec)
		return nil, p.Err()
	}
	root := tree.Read(p, data)
	switch {
	case root == nil:
		return nil, p.Err()
	case tree.IsNull(root):
		p.Add(0, "", "the text is empty; accepted: one YAML document")
		return nil, p.Err()
	case root.Kind != yaml.MappingNode:
		p.Add(root.Line, "", "got %s; accepted: a map with keys such as apiVersion, id and solvers", tree.Quote(root))
		return nil, p.Err()
	}
	return r.Check(p, root, data)
}

// Check checks a tree at each of its scales and returns its File. p contains the file's name and the faults found so
// far. The hash of the File is the hash of text.
func (r *Parser) Check(p *tree.Faults, root *yaml.Node, text []byte) (*File, error) {
	f := &File{Name: p.File, Hash: fmt.Sprintf("%x", sha256.Sum256(text)), parser: r, root: root}
	if k, v := tree.Entry(root, "scales"); k != nil {
		f.root, f.scales = tree.Without(root, "scales"), v
		checkScales(p, k.Line, v)
	}
	if bad := p.Sections(); !bad[""] {
		sound := &File{Name: p.File, parser: r, root: tree.Without(f.root, slices.Collect(maps.Keys(bad))...),
			scales: f.scales}
		if bad["scales"] {
			sound.scales = nil
		}
		sound.checkAll(p, bad)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	f.ID = tree.At(root, "id").Value
	return f, nil
}

// checkScales reports scales with unknown names, and scales that set keys which must be the same at every scale.
func checkScales(p *tree.Faults, line int, scales *yaml.Node) {
	if scales.Kind != yaml.MappingNode {
		p.Add(line, "scales", "got %s; accepted: a map with %s", tree.Quote(scales), strings.Join(scaleNames(), ", "))
		return
	}
	for i := 0; i < len(scales.Content); i += 2 {
		k, over := scales.Content[i], scales.Content[i+1]
		key := tree.Join("scales", k.Value)
		if !slices.Contains(scaleNames(), k.Value) {
			p.Add(k.Line, key, "unknown scale%s", nearest.Accepted(k.Value, scaleNames()))
			continue
		}
		if over.Kind != yaml.MappingNode && !tree.IsNull(over) {
			p.Add(over.Line, key, "got %s; accepted: a map of the keys that differ", tree.Quote(over))
		}
		for _, fixed := range fixedKeys() {
			if k, _ := tree.Entry(over, fixed); k != nil {
				p.Add(k.Line, tree.Join(key, fixed), "cannot differ between scales; set it at the top level only")
			}
		}
	}
}

// checkAll checks the experiment at each scale. bad is the set of sections (top-level keys) that are missing in f
// because they have known faults; no faults of these sections are reported. A fault that does not occur at the largest
// scale is reported with the name of its scale.
func (f *File) checkAll(p *tree.Faults, bad map[string]bool) {
	known := make(map[string]bool)
	for i, scale := range slices.Backward(f.Scales()) {
		q := &tree.Faults{File: f.Name}
		f.parser.build(q, f.atScale(scale), scale)
		for _, e := range q.List {
			if bad[tree.Section(e.Key)] || known[e.Error()] {
				continue
			}
			known[e.Error()] = true
			if i < len(f.Scales())-1 {
				e.Reason += " (at scale " + scale + ")"
			}
			p.List = append(p.List, e)
		}
	}
}

// Scales lists the scales of the file, smallest first: the names in its key "scales", and paper. A file without the key
// "scales" has only the scale own.
func (f *File) Scales() []string {
	if f.scales == nil {
		return []string{ScaleOwn}
	}
	return slices.DeleteFunc(scaleNames(), func(name string) bool {
		return name != ScalePaper && tree.At(f.scales, name) == nil
	})
}

// At returns the experiment at a scale, after it has applied the items of --set in order and checked the result.
//
// The scale must be one of Scales. In a file without scales, smoke, quick and paper are accepted too, and mean own. The
// empty string means the last of Scales: paper, or own.
//
// An item of --set is key=value with a dotted key and a value in YAML: stop.passes=5, solvers.0.eta=0.1, or with the
// name of a variant solvers.eg.eta=0.1. It replaces the value as a whole; null removes the key. A new dataset.name
// (or problems.NAME.dataset.name) removes the settings of the old data set, so set it before settings of the new one.
func (f *File) At(scale string, set []string) (*Spec, error) {
	offered := f.Scales()
	switch {
	case scale == "", f.scales == nil && slices.Contains(append(scaleNames(), ScaleOwn), scale):
		scale = offered[len(offered)-1]
	case !slices.Contains(offered, scale):
		return nil, fmt.Errorf("%s: no scale %q%s", f.Name, scale, nearest.Accepted(scale, offered))
	}
	p := &tree.Faults{File: f.Name, Sets: set}
	root := f.atScale(scale)
	if len(set) > 0 {
		root = tree.Clone(root)
	}
	for i, item := range set {
		Assign(p, root, item, -(i + 1))
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	s := f.parser.build(p, root, scale)
	if err := p.Err(); err != nil {
		return nil, err
	}
	s.BuiltIn, s.Hash, s.Overrides = f.BuiltIn, f.Hash, slices.Clone(set)
	return s, nil
}

// Tree returns the tree of the file without the key "scales", and the value of that key; nil if the file has none. Do
// not change the nodes.
func (f *File) Tree() (root, scales *yaml.Node) { return f.root, f.scales }

// atScale returns the tree at a scale.
func (f *File) atScale(scale string) *yaml.Node {
	over := tree.At(f.scales, scale)
	if over == nil {
		return f.root
	}
	return Overlay(f.root, over)
}
