package lang

import (
	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// FigureSpec has one panel given directly, or several in the key panels. After Parse, Panels holds all of them, at
// least one. Keys beside panels are the defaults of each panel, except the title.
type FigureSpec struct {
	// number of panels in a row
	Columns int `yaml:"columns" jsonschema:"minimum=1,maximum=12"`
	// several pairs of axes; the keys beside this one are their defaults
	Panels []Panel `yaml:"panels" jsonschema:"minItems=1"`
	Panel  `yaml:",inline"`
}

// Panel draws the curves that satisfy Where, one line per curve and y.
//
// X and Y name columns (passes, gap_percent, ...), labels (n, C), or final.COLUMN. The last is the last value of each
// run: one point per run, and lines join the runs with the same By.
type Panel struct {
	// heading of the panel
	Title string `yaml:"title"`
	// which curves: an expression over labels and final values, such as C >= 10 && as == "eg"
	Where string `yaml:"where"`
	// column, label, or final.COLUMN
	X string `yaml:"x"`
	// one column or a list
	Y Strings `yaml:"y"`
	// label of the x axis; default: by the column
	XLabel string `yaml:"xlabel"`
	// label of the y axis; default: by the column
	YLabel string `yaml:"ylabel"`
	// default: linear
	XScale string `yaml:"xscale" jsonschema:"enum=linear,enum=log"`
	// default: linear
	YScale string `yaml:"yscale" jsonschema:"enum=linear,enum=log"`
	// ends of the x axis; default: by the data
	XRange *[2]float64 `yaml:"xrange"`
	// ends of the y axis; default: by the data
	YRange *[2]float64 `yaml:"yrange"`
	// a label such as "C={C}", or a list of series
	Series SeriesList `yaml:"series"`
	// label whose runs are joined by a line, where x or y is final.COLUMN
	By string `yaml:"by"`
	// a theorem's bound, or another line for comparison: an expression in x, labels and final values, or its name
	Bound string `yaml:"bound"`
	// text of the bound in the legend; default: bound
	BoundLabel string `yaml:"boundlabel"`
	Line       int    `yaml:"-"`
}

// Series selects curves for a panel and labels them. An empty field takes the value of the panel.
type Series struct {
	// the variant: as, or name
	Of string `yaml:"of"`
	// further expression over labels and final values
	Where string `yaml:"where"`
	// one column or a list; default: the panel's
	Y Strings `yaml:"y"`
	// text in the legend; {label} and {y} are replaced by their values
	Label string `yaml:"label"`
	Line  int    `yaml:"-"`
}

// SeriesList is a label or a list of series.
type SeriesList []Series

// UnmarshalYAML decodes the panel given directly and the list of panels. Without it, Panel's method would be promoted.
func (f *FigureSpec) UnmarshalYAML(n *yaml.Node) error {
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

// UnmarshalYAML stores the line.
func (p *Panel) UnmarshalYAML(n *yaml.Node) error {
	type plain Panel
	p.Line = n.Line
	return n.Decode((*plain)(p))
}

// UnmarshalYAML stores the line.
func (s *Series) UnmarshalYAML(n *yaml.Node) error {
	type plain Series
	s.Line = n.Line
	return n.Decode((*plain)(s))
}

// UnmarshalYAML accepts a label or a list of series.
func (s *SeriesList) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.SequenceNode {
		*s = SeriesList{{Label: n.Value, Line: n.Line}}
		return nil
	}
	return n.Decode((*[]Series)(s))
}

// JSONSchemaExtend describes what UnmarshalYAML accepts; s describes a list.
func (SeriesList) JSONSchemaExtend(s *invopop.Schema) {
	*s = *schema.Either("array", schema.List(s.Items), schema.Text())
}

// inherit fills the empty keys of p with the keys outside panels, except the title.
func (p Panel) inherit(from Panel) Panel {
	if p.XRange == nil {
		p.XRange = from.XRange
	}
	if p.YRange == nil {
		p.YRange = from.YRange
	}
	if len(p.Y) == 0 {
		p.Y = from.Y
	}
	if len(p.Series) == 0 {
		p.Series = from.Series
	}
	for _, f := range []struct {
		to   *string
		from string
	}{
		{&p.Where, from.Where}, {&p.X, from.X}, {&p.XLabel, from.XLabel}, {&p.YLabel, from.YLabel},
		{&p.XScale, from.XScale}, {&p.YScale, from.YScale}, {&p.By, from.By}, {&p.Bound, from.Bound},
		{&p.BoundLabel, from.BoundLabel},
	} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	return p
}
