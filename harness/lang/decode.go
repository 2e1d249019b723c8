package lang

import "gopkg.in/yaml.v3"

// UnmarshalYAML accepts a string or a list.
func (s *Strings) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		*s = Strings{n.Value}
		return nil
	}
	return n.Decode((*[]string)(s))
}

// UnmarshalYAML accepts a label or a list of series.
func (s *SeriesList) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		*s = SeriesList{{Label: n.Value, Line: n.Line}}
		return nil
	}
	return n.Decode((*[]Series)(s))
}

// UnmarshalYAML accepts a number, a list or a grid.
func (v *Values) UnmarshalYAML(n *yaml.Node) error {
	if items, ok := gridItems(n); ok {
		n = items
	}
	if n.Kind == yaml.SequenceNode {
		return n.Decode((*[]float64)(v))
	}
	*v = make(Values, 1)
	return n.Decode(&(*v)[0])
}

// UnmarshalYAML decodes the panel given in place and the list of panels; without it, Panel's method would be promoted.
func (f *Figure) UnmarshalYAML(n *yaml.Node) error {
	var list struct {
		Columns int
		Panels  []Panel
	}
	if err := n.Decode(&list); err != nil {
		return err
	}
	f.Columns, f.Panels = list.Columns, list.Panels
	return n.Decode(&f.Panel)
}

// UnmarshalYAML keeps the line.
func (p *Panel) UnmarshalYAML(n *yaml.Node) error {
	type plain Panel
	p.Line = n.Line
	return n.Decode((*plain)(p))
}

// UnmarshalYAML keeps the line.
func (s *Series) UnmarshalYAML(n *yaml.Node) error {
	type plain Series
	s.Line = n.Line
	return n.Decode((*plain)(s))
}

// UnmarshalYAML keeps the line.
func (t *Table) UnmarshalYAML(n *yaml.Node) error {
	type plain Table
	t.Line = n.Line
	return n.Decode((*plain)(t))
}

// UnmarshalYAML accepts a name or a map, and keeps the line.
func (c *Column) UnmarshalYAML(n *yaml.Node) error {
	type plain Column
	c.Line = n.Line
	if n.Kind == yaml.ScalarNode {
		c.Name = n.Value
		return nil
	}
	return n.Decode((*plain)(c))
}

// UnmarshalYAML keeps the line.
func (c *Claim) UnmarshalYAML(n *yaml.Node) error {
	type plain Claim
	c.Line = n.Line
	return n.Decode((*plain)(c))
}

// UnmarshalYAML keeps the line.
func (c *Choose) UnmarshalYAML(n *yaml.Node) error {
	type plain Choose
	c.Line = n.Line
	return n.Decode((*plain)(c))
}
