package lang

import (
	invopop "github.com/invopop/jsonschema"
	"gopkg.in/yaml.v3"

	"github.com/gaplab/gaplab/harness/lang/schema"
)

// FigureSpec is a figure with one panel or several. The keys of a single panel are keys of the figure itself; several
// panels are listed under the key "panels", and then the other keys of the figure are defaults for every panel, except
// the title. After Parse, Panels contains all panels, at least one.
type FigureSpec struct {
	// number of panels side by side
	Columns int `yaml:"columns" jsonschema:"minimum=1,maximum=12"`
	// axes whose limits are equal in all panels that show the same quantity on them; limits that a panel sets do not
	// change; default: each panel has its own
	Share string `yaml:"share" jsonschema:"enum=x,enum=y,enum=both"`
	// several pairs of axes; the other keys of the figure are defaults for each of them
	Panels []Panel `yaml:"panels" jsonschema:"minItems=1"`
	Panel  `yaml:",inline"`
}

// Panel draws the curves that satisfy Where: one line for each curve and each column in Y.
//
// X and Y name columns (passes, gap_percent, ...), labels (n, C), or final.COLUMN: the last value of that column in
// each run. With final.COLUMN a run is one point, and lines join the runs with the same value of the label By.
type Panel struct {
	// heading of the panel
	Title string `yaml:"title"`
	// which curves: an expression over labels and final values, such as C >= 10 && as == "eg"
	Where string `yaml:"where"`
	// column, label, or final.COLUMN
	X string `yaml:"x"`
	// one column or a list
	Y Strings `yaml:"y"`
	// text at the x axis; default: the readable name of the column
	XLabel string `yaml:"xlabel"`
	// text at the y axis; default: the readable name of the column
	YLabel string `yaml:"ylabel"`
	// scale of the x axis; default: linear
	XScale string `yaml:"xscale" jsonschema:"enum=linear,enum=log"`
	// scale of the y axis; default: linear
	YScale string `yaml:"yscale" jsonschema:"enum=linear,enum=log"`
	// two ends of the x axis; default: determined by the data
	XRange *[2]float64 `yaml:"xrange"`
	// two ends of the y axis; default: determined by the data
	YRange *[2]float64 `yaml:"yrange"`
	// text of the legend with labels in braces, such as "C={C}", or a list of series
	Series SeriesList `yaml:"series"`
	// if x or y is final.COLUMN: a label; a line joins the points of all runs with the same value of this label,
	// of each problem apart; dataset: of all problems with one data set
	By string `yaml:"by"`
	// a theorem's bound, or another line for comparison: the name of a bound, or an expression in x, labels and final
	// values
	Bound string `yaml:"bound"`
	// text of the bound in the legend; default: bound
	BoundLabel string `yaml:"boundlabel"`
	Line       int    `yaml:"-"`
}

// Series selects curves for a panel and labels them. An empty field means the value of the panel.
type Series struct {
	// the solver whose curves are drawn: its key "as", or its name
	Of string `yaml:"of"`
	// further condition on the curves: an expression over labels and final values
	Where string `yaml:"where"`
	// one column or a list; default: the panel's
	Y Strings `yaml:"y"`
	// text in the legend; {label} and {y} are replaced by their values
	Label string `yaml:"label"`
	Line  int    `yaml:"-"`
}

// SeriesList is a list of series. A spec may also give one label instead of the list.
type SeriesList []Series

// UnmarshalYAML decodes the list of panels, and the panel's keys that are written in the figure itself. Without this
// method, Go would use the method of the embedded Panel.
func (f *FigureSpec) UnmarshalYAML(n *yaml.Node) error {
	var list struct {
		Columns int
		Share   string
		Panels  []Panel
	}
	if err := n.Decode(&list); err != nil {
		return err
	}
	f.Columns, f.Share, f.Panels = list.Columns, list.Share, list.Panels
	return n.Decode(&f.Panel)
}

// UnmarshalYAML decodes the node and stores its line number.
func (p *Panel) UnmarshalYAML(n *yaml.Node) error {
	type plain Panel
	p.Line = n.Line
	return n.Decode((*plain)(p))
}

// UnmarshalYAML decodes the node and stores its line number.
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

// JSONSchemaExtend describes what UnmarshalYAML accepts. On entry, s is the schema of a list of series.
func (SeriesList) JSONSchemaExtend(s *invopop.Schema) {
	*s = *schema.Either("array", schema.List(s.Items), schema.Text())
}

// inherit sets the empty keys of a panel to the defaults that the figure gives for all panels. It does not set the
// title.
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
