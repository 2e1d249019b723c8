package spec

// Figure is one panel given in place, or several in Panels. After Parse, Panels always holds them all, at least one:
// keys beside panels are the defaults of each panel, the title apart.
type Figure struct {
	Columns int     `yaml:"columns" jsonschema:"minimum=1,maximum=12" jsonschema_description:"panels side by side"`
	Panels  []Panel `yaml:"panels" jsonschema:"minItems=1" jsonschema_description:"several pairs of axes; keys beside this one are their defaults"`
	Panel   `yaml:",inline"`
}

// Panel of a figure. Curves that pass Where are drawn, one line per curve and y.
//
// X and Y name columns (passes, gap_percent, ...), labels (n, C), or final.COLUMN: the last value of each run, one
// point per run, lines then joined over the runs of the same By.
type Panel struct {
	Title  string      `yaml:"title" jsonschema_description:"heading of the panel"`
	Where  string      `yaml:"where" jsonschema_description:"which curves: an expression over labels, such as C >= 10 && as == \"eg\""`
	X      string      `yaml:"x" jsonschema_description:"column, label, or final.COLUMN"`
	Y      Strings     `yaml:"y" jsonschema_description:"one column or a list"`
	XLabel string      `yaml:"xlabel" jsonschema_description:"label of the x axis; default: by the column"`
	YLabel string      `yaml:"ylabel" jsonschema_description:"label of the y axis; default: by the column"`
	XScale string      `yaml:"xscale" jsonschema:"enum=linear,enum=log" jsonschema_description:"default linear"`
	YScale string      `yaml:"yscale" jsonschema:"enum=linear,enum=log" jsonschema_description:"default linear"`
	XRange *[2]float64 `yaml:"xrange" jsonschema_description:"ends of the x axis; default: by the data"`
	YRange *[2]float64 `yaml:"yrange" jsonschema_description:"ends of the y axis; default: by the data"`
	Series SeriesList  `yaml:"series" jsonschema_description:"a label such as \"C={C}\", or a list of series"`
	By     string      `yaml:"by" jsonschema_description:"label whose runs are joined to a line, where x or y is final"`
	Bound  string      `yaml:"bound" jsonschema_description:"a theorem's bound: an expression in x and labels, or its name"`
	Line   int         `yaml:"-"`
}

// Series picks curves for a panel and labels them. Empty fields: the panel's.
type Series struct {
	Of    string  `yaml:"of" jsonschema_description:"the variant: as, or name"`
	Where string  `yaml:"where" jsonschema_description:"further expression over labels"`
	Y     Strings `yaml:"y" jsonschema_description:"one column or a list; default: the panel's"`
	Label string  `yaml:"label" jsonschema_description:"legend, with {label} and {y} filled in"`
	Line  int     `yaml:"-"`
}

// Strings is one string or a list of them.
type Strings []string

// SeriesList is a label or a list of series.
type SeriesList []Series

// Values is one number > 0, a list of them, or {grid: list}.
type Values []float64

// Table prints one row per value of Rows and the columns, beside the paper's printed numbers.
type Table struct {
	Where   string   `yaml:"where" jsonschema_description:"which curves: an expression over labels"`
	Rows    string   `yaml:"rows" jsonschema:"required" jsonschema_description:"label or column, such as C"`
	Columns []Column `yaml:"columns" jsonschema:"required,minItems=1" jsonschema_description:"names such as final.passes, or maps"`
	Average []string `yaml:"average" jsonschema:"minItems=1,uniqueItems=true" jsonschema_description:"labels beside seed and fold whose runs a cell is the mean of, such as dataset.fold"`
	Printed string   `yaml:"printed" jsonschema_description:"CSV file beside the spec with the paper's numbers"`
	Line    int      `yaml:"-"`
}

// Column of a table: a name such as final.stage_passes, or a map.
type Column struct {
	Name    string `yaml:"name" jsonschema:"required" jsonschema_description:"expression over columns and labels with one value, such as final.passes or powerfit(gap, epoch).slope"`
	Title   string `yaml:"title" jsonschema_description:"heading; default: the name"`
	Printed string `yaml:"printed" jsonschema_description:"heading in the printed file; default: the title"`
	Format  string `yaml:"format" jsonschema:"pattern=^%[-+ 0#]*[0-9]*([.][0-9]+)?[efgEG]$" jsonschema_description:"such as %.2f"`
	Where   string `yaml:"where" jsonschema_description:"filter over the labels: which of the row's runs the column is about; default: all, which then must be one run or its seeds and folds"`
	Rate    bool   `yaml:"rate" jsonschema_description:"a number that a run does not push up as it goes on, such as a fitted power: no bound where the budget stopped it"`
	Line    int    `yaml:"-"`
}

// Claim is a statement of the paper and the expression that checks it.
type Claim struct {
	ID      string   `yaml:"id" jsonschema:"required,pattern=^[a-z][a-z0-9-]*$" jsonschema_description:"such as c1"` // with the experiment's id: eg/fig06/c1
	Says    string   `yaml:"says" jsonschema:"required" jsonschema_description:"the paper's statement"`
	Where   string   `yaml:"where" jsonschema_description:"section of the paper"`
	Kind    string   `yaml:"kind" jsonschema:"enum=M,enum=E,enum=V" jsonschema_description:"M theorem or invariant, E finding, V printed value"`
	Data    string   `yaml:"data" jsonschema:"enum=Y,enum=S,enum=R" jsonschema_description:"Y any data, S a stand-in serves, R only the paper's own data"`
	Assert  string   `yaml:"assert" jsonschema_description:"expression that is true if the claim holds"`
	Measure string   `yaml:"measure" jsonschema_description:"expression whose value is reported beside the verdict"`
	Tol     string   `yaml:"tol" jsonschema_description:"the tolerance in assert, and its reason"`
	Scales  []string `yaml:"scales" jsonschema:"minItems=1,enum=smoke,enum=quick,enum=paper" jsonschema_description:"scales that can decide it; default all"`
	Because string   `yaml:"because" jsonschema_description:"why the other scales cannot; required with scales"`
	Tested  string   `yaml:"tested" jsonschema_description:"name of the Go test that checks it as well; required for kind M"`
	Line    int      `yaml:"-"`
}

// inherit fills what p leaves empty from the keys beside panels, the title apart.
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
	} {
		if *f.to == "" {
			*f.to = f.from
		}
	}
	return p
}
