// Package datasets defines the kinds of data that models learn from, what a data set is, and where its files are found.
//
// The package does not depend on any model. Data are rows with labels, sequences, sentences, trees or counts, as they
// are in the files. A Loader loads one data set with given settings. Loaders are in three packages: formats reads the
// user's own files, real has published data sets, and generated draws data from a seed.
//
//	src := datasets.SourceFromEnv(os.Getenv)
//	set, err := real.MNIST{Train: 59000, Validation: 10000}.Load(ctx, src)
//	train := set.Train.(*datasets.Labelled)
//
// A loader looks for a file in the folder GAPLAB_DATA, then in the cache, and otherwise downloads it. The decompressed
// content is always checked against the SHA-256 in the entry of the data set. So a copy in another compression format
// is accepted, and a damaged copy is refused. Source.Load stores the parsed data in binary form for later processes;
// see Parsed.
package datasets

// Rows are N feature vectors, stored row by row. They are sparse (CSR) if Index is not nil, else dense.
type Rows struct {
	N, Dim int       // numbers of rows and of features
	Start  []int     // sparse: N+1 offsets into Index and Value
	Index  []int32   // sparse: the feature of each value, counted from 0 and increasing within a row
	Value  []float64 // sparse: the non-zeros; dense: N·Dim values, row by row
}

// Row returns the values of row i and the features to which they belong. If the rows are dense, index is nil. Both
// slices share memory with r.
func (r *Rows) Row(i int) (index []int32, value []float64) {
	if r.Index == nil {
		return nil, r.Value[i*r.Dim : (i+1)*r.Dim]
	}
	return r.Index[r.Start[i]:r.Start[i+1]], r.Value[r.Start[i]:r.Start[i+1]]
}

// Data holds the training examples or the validation examples of a data set. Labelled, Sequences, Sentences, Treebank,
// Discrete and CellCounts implement Data. Each model declares which of these types it accepts.
type Data interface {
	Len() int     // number of examples
	Kind() string // name of the kind for error messages, such as "labelled rows"
}

// Labelled holds rows, each with a class.
type Labelled struct {
	X Rows // the feature vectors
	// Y holds the class of each row, 0 ≤ Y[i] < len(Classes). In validation rows, Y[i] = len(Classes) means that the
	// training rows do not have the class of row i: every prediction for this row is wrong.
	Y       []int
	Classes []string // names of the classes, as in the file; the same for training and validation data
}

var _ Data = (*Labelled)(nil)

// Len returns the number of rows.
func (l *Labelled) Len() int { return l.X.N }

// Kind returns "labelled rows".
func (l *Labelled) Kind() string { return "labelled rows" }

// Set is a loaded data set.
type Set struct {
	Name       string // catalogue name, or the user's path
	Train      Data   // never nil
	Validation Data   // nil if there are no validation data
	Synthetic  bool   // made by a generator; such data must never be presented as the real data set
	// Checksum is the hexadecimal SHA-256 of the files' content and the settings. For a generator it is the SHA-256 of the
	// generator's name, version and settings.
	Checksum string
	Files    map[string]string // SHA-256 of the decompressed content of each file, by the file's name
	Warnings []string          // possible faults of the data, a sentence for each
	Scaling  Scaling           // how the rows were scaled; see Scale
	Table    Table             // the columns from which the rows were made, if the file has named columns
}

// Narrow returns a sparse copy of the rows that has dim features. The features from index dim on are dropped. If dim is
// larger than r.Dim, the added features are zero.
func (r *Rows) Narrow(dim int) Rows {
	out := Rows{N: r.N, Dim: dim, Start: []int{0}, Index: []int32{}}
	for i := range r.N {
		index, value := r.Row(i)
		for t, x := range value {
			j := int32(t)
			if index != nil {
				j = index[t]
			}
			if int(j) < dim && x != 0 {
				out.Index, out.Value = append(out.Index, j), append(out.Value, x)
			}
		}
		out.Start = append(out.Start, len(out.Index))
	}
	return out
}

// Pick returns a copy of the rows with the given indices, in this order. The rows must be sparse. Pick panics if a row
// does not exist.
func (l *Labelled) Pick(rows []int) *Labelled {
	stored := 0
	for _, i := range rows {
		stored += l.X.Start[i+1] - l.X.Start[i]
	}
	p := &Labelled{
		X: Rows{
			N: len(rows), Dim: l.X.Dim, Start: make([]int, 1, len(rows)+1),
			Index: make([]int32, 0, stored), Value: make([]float64, 0, stored),
		},
		Y:       make([]int, len(rows)),
		Classes: l.Classes,
	}
	for k, i := range rows {
		index, value := l.X.Row(i)
		p.X.Index = append(p.X.Index, index...)
		p.X.Value = append(p.X.Value, value...)
		p.X.Start = append(p.X.Start, len(p.X.Index))
		p.Y[k] = l.Y[i]
	}
	return p
}
