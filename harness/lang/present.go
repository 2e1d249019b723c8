package lang

// Figure is one panel given in place, or several in Panels. After Parse, Panels always holds them all, at least one:
// keys outside panels are the defaults of each panel, except the title.
type Figure struct {
	// panels side by side
	Columns int `yaml:"columns" jsonschema:"minimum=1,maximum=12"`
	// several pairs of axes; keys beside this one are their defaults
	Panels []Panel `yaml:"panels" jsonschema:"minItems=1"`
	Panel  `yaml:",inline"`
}

// Panel of a figure. Curves that pass Where are drawn, one line per curve and y.
//
// X and Y name columns (passes, gap_percent, ...), labels (n, C), or final.COLUMN: the last value of each run, one
// point per run, lines then joined over the runs of the same By.
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
	// default linear
	XScale string `yaml:"xscale" jsonschema:"enum=linear,enum=log"`
	// default linear
	YScale string `yaml:"yscale" jsonschema:"enum=linear,enum=log"`
	// ends of the x axis; default: by the data
	XRange *[2]float64 `yaml:"xrange"`
	// ends of the y axis; default: by the data
	YRange *[2]float64 `yaml:"yrange"`
	// a label such as "C={C}", or a list of series
	Series SeriesList `yaml:"series"`
	// label whose runs are joined to a line, where x or y is final
	By string `yaml:"by"`
	// a theorem's bound, or another line for comparison: an expression in x, labels and final values, or its name
	Bound string `yaml:"bound"`
	// legend of the bound; default: bound
	BoundLabel string `yaml:"boundlabel"`
	Line       int    `yaml:"-"`
}

// Series picks curves for a panel and labels them. Empty fields: the panel's.
type Series struct {
	// the variant: as, or name
	Of string `yaml:"of"`
	// further expression over labels and final values
	Where string `yaml:"where"`
	// one column or a list; default: the panel's
	Y Strings `yaml:"y"`
	// legend, with {label} and {y} filled in
	Label string `yaml:"label"`
	Line  int    `yaml:"-"`
}

// Strings is one string or a list of them.
type Strings []string

// SeriesList is a label or a list of series.
type SeriesList []Series

// Values is one number > 0, a list of them, or {grid: list}.
type Values []float64

// Table prints one row per value of Rows and the columns, beside the paper's printed numbers.
type Table struct {
	// which curves: an expression over labels
	Where string `yaml:"where"`
	// label or column, such as C
	Rows string `yaml:"rows" jsonschema:"required"`
	// names such as final.passes, or maps
	Columns []Column `yaml:"columns" jsonschema:"required,minItems=1"`
	// labels beside seed and fold whose runs a cell is the mean of, such as dataset.fold
	Average []string `yaml:"average" jsonschema:"minItems=1,uniqueItems=true"`
	// CSV file beside the spec with the paper's numbers
	Printed string `yaml:"printed"`
	Line    int    `yaml:"-"`
}

// Column of a table: a name such as final.stage_passes, or a map.
type Column struct {
	// expression over columns and labels with one value, such as final.passes or powerfit(gap, epoch).slope
	Name string `yaml:"name" jsonschema:"required"`
	// heading; default: the name
	Title string `yaml:"title"`
	// heading in the printed file; default: the title
	Printed string `yaml:"printed"`
	// such as %.2f
	Format string `yaml:"format" jsonschema:"pattern=^%[-+ 0#]*[0-9]*([.][0-9]+)?[efgEG]$"`
	// filter over the labels: which of the row's runs the column is about; default: all, which then must be one
	// run or its seeds and folds
	Where string `yaml:"where"`
	// a number that a run does not push up as it goes on, such as a fitted power: no bound where the budget
	// stopped it
	Rate bool `yaml:"rate"`
	Line int  `yaml:"-"`
}

// Claim is a statement of the paper and the expression that checks it.
type Claim struct {
	// such as c1
	//
	// with the experiment's id: eg/fig06/c1
	ID string `yaml:"id" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$"`
	// the paper's statement
	Says string `yaml:"says" jsonschema:"required"`
	// section of the paper
	Where string `yaml:"where"`
	// M theorem or invariant, E finding, V printed value
	Kind string `yaml:"kind" jsonschema:"enum=M,enum=E,enum=V"`
	// Y any data, S a stand-in serves, R only the paper's own data
	Data string `yaml:"data" jsonschema:"enum=Y,enum=S,enum=R"`
	// expression that is true if the claim holds
	Assert string `yaml:"assert"`
	// expression whose value is reported beside the verdict
	Measure string `yaml:"measure"`
	// the tolerance in assert, and its reason
	Tol string `yaml:"tol"`
	// scales that can decide it; default all
	Scales []string `yaml:"scales" jsonschema:"minItems=1,enum=smoke,enum=quick,enum=paper"`
	// why the other scales cannot; required with scales
	Because string `yaml:"because"`
	// name of the Go test that checks it as well; required for kind M
	Tested string `yaml:"tested"`
	Line   int    `yaml:"-"`
}

// inherit fills the empty keys of p from those outside panels, except the title.
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
