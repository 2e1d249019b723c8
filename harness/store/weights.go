package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
)

// WeightsFormat names the layout of a weights file: a gzip stream of a line with a JSON object (the head), a line with
// the JSON of the vocabulary, the weights, and the SHA-256 of everything before it. If the rows were scaled, or if
// their file has named columns, two more lines follow the vocabulary: the JSON of the scaling and the JSON of the
// table. Either may be empty. An empty line of the table is left out. Programs that do not know these lines refuse the
// file. The weights are a separate member of the gzip stream and are not compressed, because decompressing them would
// take longer than all other steps. `zcat FILE | head -1` prints the head.
const WeightsFormat = "gaplab-weights/4"

// Formats of earlier versions, which can still be read. The third has one line, an object that includes the vocabulary,
// followed by the weights as little-endian float64 values. In the first two formats the object also includes the
// weights. The second has the numbers of features and the classes instead of a vocabulary. The first has neither
// settings nor revisions.
const (
	weightsThird  = "gaplab-weights/3"
	weightsSecond = "gaplab-weights/2"
	weightsFirst  = "gaplab-weights/1"
)

// Weights contains the final weights of a run and everything that a prediction needs.
type Weights struct {
	Format     string          `json:"format"`
	Experiment string          `json:"experiment"`
	Key        string          `json:"key"`
	Model      string          `json:"model"`
	Loss       string          `json:"loss,omitempty"`
	Kind       string          `json:"kind"` // name of the kind of the training data, such as labelled rows
	Data       Component       `json:"data"`
	Settings   Component       `json:"settings"`             // settings of the model
	Revisions  map[string]int  `json:"revisions"`            // revisions of the run's data set, model and solver
	Vocabulary json.RawMessage `json:"vocabulary,omitempty"` // the model's vocabulary; absent if the model cannot predict
	// Scaling is the scaling of the training rows. Other rows must be scaled in the same way before a prediction. Its Kind
	// is "" if the rows were not scaled. It is not in the head, because the head is short, but rows may have many columns.
	Scaling datasets.Scaling `json:"-"`
	// Table has the columns of the training rows, if their file has named columns. It is not in the head either.
	Table datasets.Table `json:"-"`
	Dim   int            `json:"dim"` // number of weights
	W     []float64      `json:"w,omitempty"`
	// Step is the unit of the stored weights: they are rounded to multiples of Step, with an error of at most 2⁻³¹ of the
	// largest weight. 0: the weights are not rounded, and stored as little-endian float64 values.
	Step float64 `json:"step,omitempty"`
	// Lengths are the numbers of bytes of two pieces of the file: first the lines of the vocabulary, the scaling and the
	// table together, then the weights.
	Lengths [2]int `json:"lengths,omitzero"`
}

// Component is a spec's description of the data set or the model: its name, or the format of the user's own files, and
// its settings.
type Component struct {
	Name   string         `json:"name,omitempty"`
	Format string         `json:"format,omitempty"`
	Params map[string]any `json:"params"`
}

// Complete reports whether the file has the settings that predictions need.
func (w *Weights) Complete() bool { return w.Format != weightsFirst }

// SaveWeights writes the weights of a run and returns the file's name. The name contains a digest of the content, so
// that a trace names its own weights even if another process makes the same run. If exact is true, every bit of the
// weights is stored, as runs that start from them need. Otherwise the weights are rounded (Weights.Step).
func (f *Folder) SaveWeights(w Weights, exact bool) (string, error) {
	text, err := writeWeights(w, exact)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	name := w.Key + hex.EncodeToString(sum[:4]) + ".weights.json.gz"
	return name, f.store.write(f.file(name), text)
}

// writeWeights returns the bytes of a weights file.
func writeWeights(w Weights, exact bool) ([]byte, error) {
	if err := finite(w.W); err != nil {
		return nil, err
	}
	head, level := w, gzip.NoCompression
	head.Format, head.Dim, head.W, head.Vocabulary = WeightsFormat, len(w.W), nil, nil
	numbers := []byte{} // not nil, even without weights: nil stands for the digest in the loop below
	if head.Step = stepOf(w.W); exact || head.Step == 0 {
		head.Step, level = 0, gzip.DefaultCompression
		for _, x := range w.W {
			numbers = binary.LittleEndian.AppendUint64(numbers, math.Float64bits(x))
		}
	} else {
		numbers = encode(w.W, head.Step)
	}
	vocabulary, err := vocabularyLines(w)
	if err != nil {
		return nil, err
	}
	head.Lengths = [2]int{len(vocabulary), len(numbers)}
	line, err := json.Marshal(head)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	var out bytes.Buffer
	for _, member := range []struct {
		level int
		parts [][]byte
	}{{gzip.DefaultCompression, [][]byte{line, {'\n'}, vocabulary}}, {level, [][]byte{numbers, nil}}} {
		z, err := gzip.NewWriterLevel(&out, member.level)
		if err != nil {
			return nil, err
		}
		for _, part := range member.parts {
			if part == nil {
				part = sum.Sum(nil)
			}
			sum.Write(part)
			if _, err := z.Write(part); err != nil {
				return nil, err
			}
		}
		if err := z.Close(); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// vocabularyLines returns the lines of the vocabulary, the scaling and the table.
func vocabularyLines(w Weights) ([]byte, error) {
	lines := append(slices.Clip(w.Vocabulary), '\n')
	if w.Scaling.Kind != "" {
		scaling, err := json.Marshal(w.Scaling)
		if err != nil {
			return nil, err
		}
		lines = append(lines, scaling...)
	}
	if len(w.Table.Columns) > 0 {
		table, err := json.Marshal(w.Table)
		if err != nil {
			return nil, err
		}
		lines = append(append(lines, '\n'), table...)
	}
	if w.Scaling.Kind != "" || len(w.Table.Columns) > 0 {
		lines = append(lines, '\n')
	}
	return lines, nil
}

// write writes a file atomically: readers see the old file or the complete new one.
func (s *Store) write(name string, text []byte) error {
	root, err := s.opened(true)
	if err != nil {
		return err
	}
	name = filepath.FromSlash(name)
	folder, base := filepath.Split(name)
	if err := root.MkdirAll(filepath.Clean(folder), 0o777); err != nil {
		return err
	}
	draft := filepath.Join(folder, "."+base+"."+unique())
	if err := root.WriteFile(draft, text, 0o666); err != nil {
		return err
	}
	return root.Rename(draft, name)
}

// HasWeights reports whether the weights file that a trace names exists in the folder of the trace and, if exact is
// true, whether it has every bit of the weights. Runs in git have no weights files.
func HasWeights(f *trace.File, exact bool) bool {
	if f.End == nil || f.End.Weights == "" {
		return false
	}
	file, err := openWeights(f)
	if err != nil {
		return false
	}
	defer file.Close()
	if !exact {
		return true
	}
	in, err := unzip(file, file.Name())
	if err != nil {
		return false
	}
	w, err := in.head()
	return err == nil && w.Step == 0
}

// WeightsPath returns the path of the weights file that a trace names.
func WeightsPath(f *trace.File) string {
	return filepath.Join(filepath.Dir(f.Path), filepath.Base(f.End.Weights))
}

// WeightsOf reads the weights of a run.
func WeightsOf(f *trace.File) (*Weights, error) {
	file, err := openWeights(f)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readWeights(file, file.Name())
}

// openWeights opens the weights file that a trace names. It accepts only files in the trace's own folder.
func openWeights(f *trace.File) (*os.File, error) {
	return os.OpenInRoot(filepath.Dir(f.Path), filepath.Base(f.End.Weights))
}

// ReadWeights reads a weights file.
func ReadWeights(path string) (*Weights, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return readWeights(file, path)
}
