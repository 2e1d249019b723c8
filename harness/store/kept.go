package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/renameio/v2"

	"github.com/gaplab/gaplab/harness/trace"
)

// Kept is the folder of the results that git keeps: a pack for each experiment and scale, with the figure beside it.
//
//	results/smoke/eg/fig06.jsonl     text
//	results/paper/eg/fig06.jsonl.gz  the same, compressed where it is long
type Kept struct {
	dir string
}

// Keep returns the results in a folder, which need not be there.
func Keep(dir string) *Kept { return &Kept{dir} }

// long is the size from which a pack is compressed, unless it is one of references.
const long = 64 << 10

// Path is where the pack of an experiment is, or would be.
func (k *Kept) Path(experiment, scale string) string {
	text := filepath.Join(k.dir, scale, filepath.FromSlash(experiment)) + ending
	if _, err := os.Stat(text + ".gz"); err == nil {
		return text + ".gz"
	}
	return text
}

// Read returns the runs of an experiment, in the order of the plan. Those that another experiment holds are read there.
// If there is no pack it is an error of kind fs.ErrNotExist.
func (k *Kept) Read(experiment, scale string) ([]*trace.File, error) {
	own, err := k.pack(experiment, scale)
	if err != nil {
		return nil, err
	}
	others := map[string][]packed{}
	var out []*trace.File
	for _, r := range own {
		if r.shared == nil {
			out = append(out, r.file)
			continue
		}
		in := r.shared.In
		if others[in] == nil {
			if others[in], err = k.pack(in, scale); err != nil {
				return nil, fmt.Errorf("%s: its run %s is shared: %w", k.Path(experiment, scale), r.shared.Key, err)
			}
		}
		file, err := shared(experiment, r.shared, others[in])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", k.Path(experiment, scale), err)
		}
		out = append(out, file)
	}
	return out, nil
}

// shared is a run of another experiment as one of this.
func shared(experiment string, r *sharedRun, in []packed) (*trace.File, error) {
	i := slices.IndexFunc(in, func(p packed) bool { return p.file != nil && p.file.Manifest.Key == r.Key })
	if i < 0 {
		return nil, fmt.Errorf("%s does not hold its run %s: `gaplab baseline update` packs both anew", r.In, r.Key)
	}
	file := *in[i].file
	file.Manifest.Experiment, file.Manifest.Order = experiment, r.Order
	if r.Labels != nil {
		file.Manifest.Labels = r.Labels
	}
	return &file, nil
}

// folder is where results were kept before there were packs, a file for each run.
func (k *Kept) folder(experiment, scale string) string {
	return filepath.Join(k.dir, scale, filepath.FromSlash(experiment))
}

// pack reads a pack, or a folder of runs in its place.
func (k *Kept) pack(experiment, scale string) ([]packed, error) {
	path := k.Path(experiment, scale)
	text, err := readText(path)
	if errors.Is(err, fs.ErrNotExist) {
		files, err := trace.ReadDir(k.folder(experiment, scale))
		if err == nil && len(files) == 0 {
			err = fs.ErrNotExist
		}
		out := make([]packed, len(files))
		for i, f := range files {
			out[i].file = f
		}
		return out, err
	}
	if err != nil {
		return nil, err
	}
	head, runs, err := unpack(path, text)
	if err == nil && (head.Experiment != experiment || head.Scale != scale) {
		err = fmt.Errorf("%s: holds %s at scale %s", path, head.Experiment, head.Scale)
	}
	return runs, err
}

// readText reads a file of text, compressed or not.
func readText(path string) ([]byte, error) {
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasSuffix(path, ".gz") {
		return text, err
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err == nil {
		text, err = io.ReadAll(z)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, trace.ErrDamaged, err)
	}
	return text, nil
}

// Write packs the runs of an experiment and returns the files that it changed. A run that another experiment of the
// paper holds is named, and those that name one that is here no more get it themselves. With references, runs whose
// rows are the same but for clocks are the same, and what is kept of them stays as it is.
func (k *Kept) Write(experiment, scale string, runs []*trace.File, references bool) ([]string, error) {
	paper := path.Dir(experiment)
	all := map[string][]*trace.File{}
	found, err := filepath.Glob(filepath.Join(k.dir, scale, filepath.FromSlash(paper), "*"+ending+"*"))
	if err != nil {
		return nil, err
	}
	for _, file := range found {
		id := path.Join(paper, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ending))
		if all[id], err = k.Read(id, scale); err != nil && id != experiment {
			return nil, err
		}
	}
	if references {
		runs = slices.Clone(runs)
		for i, r := range runs {
			for _, old := range all[experiment] {
				if same(old, r, true) && equal(old.Manifest.Labels, r.Manifest.Labels) &&
					old.Manifest.Order == r.Manifest.Order {
					runs[i] = old
				}
			}
		}
	}
	all[experiment] = runs
	return k.WriteAll(scale, all, references)
}

// WriteAll packs the runs of all experiments of a paper, by id, and returns the files that it changed.
func (k *Kept) WriteAll(scale string, all map[string][]*trace.File, references bool) ([]string, error) {
	type home struct {
		in   string
		file *trace.File
	}
	homes := map[string][]home{} // by key
	var changed []string
	for _, id := range slices.Sorted(maps.Keys(all)) {
		runs := slices.Clone(all[id])
		slices.SortStableFunc(runs, func(a, b *trace.File) int { return cmp.Compare(a.Manifest.Order, b.Manifest.Order) })
		var out []packed
		seen := map[string]bool{}
		for _, f := range runs {
			key := f.Manifest.Key
			if seen[key] {
				continue // two problems share it
			}
			seen[key] = true
			i := slices.IndexFunc(homes[key], func(h home) bool { return same(h.file, f, references) })
			if i < 0 {
				homes[key] = append(homes[key], home{id, f})
				out = append(out, packed{file: f})
				continue
			}
			h := homes[key][i]
			r := &sharedRun{In: h.in, Key: key, Order: f.Manifest.Order}
			if !equal(h.file.Manifest.Labels, f.Manifest.Labels) {
				r.Labels = f.Manifest.Labels
			}
			out = append(out, packed{shared: r})
		}
		text, err := pack(id, scale, out)
		if err != nil {
			return changed, fmt.Errorf("%s: %w", id, err)
		}
		file, err := k.put(id, scale, text, references)
		if err != nil {
			return changed, err
		}
		if file != "" {
			changed = append(changed, file)
		}
	}
	return changed, nil
}

// put writes a pack, unless that is what is there, and returns its file; "" if nothing changed.
func (k *Kept) put(experiment, scale string, text []byte, references bool) (string, error) {
	old := k.Path(experiment, scale)
	if there, err := readText(old); err == nil && bytes.Equal(there, text) {
		return "", nil
	}
	file := strings.TrimSuffix(old, ".gz")
	if !references && len(text) > long {
		file += ".gz"
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // its head has neither time nor name
		if err != nil {
			return "", err
		}
		if _, err := z.Write(text); err != nil {
			return "", err
		}
		if err := z.Close(); err != nil {
			return "", err
		}
		text = out.Bytes()
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return "", err
	}
	if err := renameio.WriteFile(file, text, 0o666); err != nil {
		return "", err
	}
	if err := os.RemoveAll(k.folder(experiment, scale)); err != nil {
		return "", err
	}
	if old != file {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return file, nil
}

// same says whether two runs under one key are one: the same rows and end, and the same manifest but for what an
// experiment calls it. Of references clocks do not count; but a run that had the machine for itself is no other's.
func same(a, b *trace.File, references bool) bool {
	x, y := a.Manifest, b.Manifest
	if x.Key != y.Key || x.Plan != y.Plan || (a.End == nil) != (b.End == nil) {
		return false
	}
	if !references {
		for _, m := range []*trace.Manifest{&x, &y} {
			m.Format, m.Experiment, m.Order, m.Labels = "", "", 0, nil
		}
		return equal(x, y) && equal(a.End, b.End) && sameRows(a.Rows, b.Rows)
	}
	if x.Outside && y.Outside { // its rows are the other program's affair
		return a.Status() == b.Status() && equal(x.Data, y.Data) && equal(x.Spec, y.Spec)
	}
	if y.Alone && !x.Alone || x.Exact != y.Exact || x.Exact == "" || x.Thinned != y.Thinned || x.N != y.N ||
		x.Dim != y.Dim || !equal(x.Data, y.Data) || !equal(x.Spec, y.Spec) {
		return false
	}
	if a.End == nil {
		return true
	}
	u, v := *a.End, *b.End
	u.Seconds, v.Seconds = 0, 0
	u.Weights, v.Weights = "", ""
	return equal(u, v)
}

func sameRows(a, b []trace.Row) bool {
	return slices.EqualFunc(a, b, func(x, y trace.Row) bool {
		return maps.EqualFunc(x.Values, y.Values, sameBits) &&
			slices.Equal(x.Warnings, y.Warnings)
	})
}

func sameBits(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }
