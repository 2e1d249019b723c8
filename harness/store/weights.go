package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/harness/trace"
)

// WeightsFormat names the layout of a weights file: a gzip stream of one line with a JSON object, followed by the
// weights as little-endian float64 values. In earlier formats the weights are part of the object.
const WeightsFormat = "gaplab-weights/3"

// Formats of earlier versions, which runs can still start from. The second has the features and classes of rows instead
// of a vocabulary. The first has neither settings nor revisions.
const (
	weightsSecond = "gaplab-weights/2"
	weightsFirst  = "gaplab-weights/1"
)

// Weights holds the final weights of a run and everything that a prediction needs.
type Weights struct {
	Format     string          `json:"format"`
	Experiment string          `json:"experiment"`
	Key        string          `json:"key"`
	Model      string          `json:"model"`
	Loss       string          `json:"loss,omitempty"`
	Kind       string          `json:"kind"` // kind of the training data
	Data       Component       `json:"data"`
	Settings   Component       `json:"settings"`             // settings of the model
	Revisions  map[string]int  `json:"revisions"`            // revisions of the run's data set, model and solver
	Vocabulary json.RawMessage `json:"vocabulary,omitempty"` // the model's vocabulary; absent if it cannot predict
	Dim        int             `json:"dim"`                  // number of weights
	W          []float64       `json:"w,omitempty"`
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

// SaveWeights writes the weights of a run and returns the file's name. The name contains a digest, so that a trace
// names its own weights even if another process makes the same run.
func (f *Folder) SaveWeights(w Weights) (string, error) {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	head, values := w, w.W
	head.Format, head.Dim, head.W = WeightsFormat, len(values), nil
	if err := json.NewEncoder(z).Encode(head); err != nil {
		return "", err
	}
	if err := binary.Write(z, binary.LittleEndian, values); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(out.Bytes())
	name := w.Key + hex.EncodeToString(sum[:4]) + ".weights.json.gz"
	return name, f.store.write(f.file(name), out.Bytes())
}

// write writes a file atomically.
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

// HasWeights reports whether the weights file that a trace names is next to it. Runs in git have no weights files.
func HasWeights(f *trace.File) bool {
	if f.End == nil || f.End.Weights == "" {
		return false
	}
	file, err := openWeights(f)
	if err == nil {
		err = file.Close()
	}
	return err == nil
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

func readWeights(file io.Reader, path string) (*Weights, error) {
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: not a weights file of gaplab (want gzip of JSON): %w", path, err)
	}
	text, err := io.ReadAll(z) // to the end, so that gzip verifies its checksum
	if err != nil {
		return nil, fmt.Errorf("%s: damaged weights file: %w", path, err)
	}
	var w struct {
		Weights
		Features int      `json:"features"` // Features and Classes are fields of the second format
		Classes  []string `json:"classes"`
	}
	line, rest, _ := bytes.Cut(text, []byte("\n"))
	if err := json.Unmarshal(line, &w); err != nil {
		return nil, fmt.Errorf("%s: damaged weights file: %w", path, err)
	}
	switch w.Format {
	case WeightsFormat:
		if len(rest)%8 != 0 || len(rest)/8 != w.Dim {
			return nil, fmt.Errorf("%s: damaged weights file: %d bytes of weights, want 8 for each of %d", path, len(rest),
				w.Dim)
		}
		w.W = make([]float64, w.Dim)
		for j := range w.W {
			w.W[j] = math.Float64frombits(binary.LittleEndian.Uint64(rest[8*j:]))
		}
	case weightsFirst:
	case weightsSecond:
		if w.Features > 0 {
			w.Kind = (*datasets.Labelled)(nil).Kind()
			w.Vocabulary, err = json.Marshal(map[string]any{"features": w.Features, "classes": w.Classes})
		}
	default:
		return nil, fmt.Errorf("%s: format %q; this program reads %s: is the file from a newer gaplab?", path, w.Format,
			WeightsFormat)
	}
	return &w.Weights, err
}
