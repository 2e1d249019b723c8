package store

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/gaplab/gaplab/harness/trace"
)

// weightsFormat names the layout of a weights file: gzip of one JSON object.
const weightsFormat = "gaplab-weights/2"

// weightsBefore has neither settings nor revisions: runs may still begin with such weights.
const weightsBefore = "gaplab-weights/1"

// Weights are the last weights of a run, with all that a prediction needs.
type Weights struct {
	Format     string         `json:"format"`
	Experiment string         `json:"experiment"`
	Key        string         `json:"key"`
	Model      string         `json:"model"`
	Data       Part           `json:"data"`
	Settings   Part           `json:"settings"`  // of the model
	Revisions  map[string]int `json:"revisions"` // of what ran
	Features   int            `json:"features"`  // of a row; 0: the data are no rows
	Classes    []string       `json:"classes"`
	W          []float64      `json:"w"`
}

// Part is what a spec says of the data set or the model: its format, if the data are the user's own, and its settings.
type Part struct {
	Format string         `json:"format,omitempty"`
	Params map[string]any `json:"params"`
}

// Complete says whether the file has the settings that predictions take.
func (w *Weights) Complete() bool { return w.Format == weightsFormat }

// SaveWeights writes the weights of a run and returns the file's name, which contains a digest of them: a trace and its
// weights belong together, even if another process makes the same run.
func (f *Folder) SaveWeights(w Weights) (string, error) {
	w.Format = weightsFormat
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	if err := json.NewEncoder(z).Encode(w); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	sum := sha256.Sum256(out.Bytes())
	name := w.Key + hex.EncodeToString(sum[:4]) + ".weights.json.gz"
	return name, f.store.write(f.file(name), out.Bytes())
}

// write writes a whole file, atomically.
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

// HasWeights says whether the weights that a trace names are next to it: runs that git keeps have none.
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

// openWeights opens the file that a trace names, in the trace's own folder and nowhere else.
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
	text, err := io.ReadAll(z) // to its end, where the checksum stands
	if err != nil {
		return nil, fmt.Errorf("%s: damaged weights file: %w", path, err)
	}
	var w Weights
	if err := json.Unmarshal(text, &w); err != nil {
		return nil, fmt.Errorf("%s: damaged weights file: %w", path, err)
	}
	if w.Format != weightsFormat && w.Format != weightsBefore {
		return nil, fmt.Errorf("%s: format %q; this program reads %s: is the file of a newer program?", path, w.Format,
			weightsFormat)
	}
	return &w, nil
}
