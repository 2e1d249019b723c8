package store

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
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

// Write packs the runs of an experiment and returns the files that it changed. A run that an earlier experiment of the
// paper holds is stored as a reference to it. If another experiment refers to a run that this pack no longer holds, its
// own pack gets a copy. If the experiment's old pack cannot be read, it is replaced, and references to it are resolved
// among runs. With references, a run that differs from the kept one in its clocks only is not replaced.
func (k *Kept) Write(experiment, scale string, runs []*trace.File, references bool) ([]string, error) {
	paper := path.Dir(experiment)
	all := map[string][]*trace.File{}
	found, err := filepath.Glob(filepath.Join(k.dir, scale, filepath.FromSlash(paper), "*"+ending+"*"))
	if err != nil {
		return nil, err
	}
	lost := map[string][]packed{} // replaces an unreadable pack when references to it are resolved
	if all[experiment], err = k.Read(experiment, scale); err != nil {
		for _, f := range runs {
			lost[experiment] = append(lost[experiment], packed{file: f})
		}
	}
	for _, file := range found {
		id := path.Join(paper, strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".gz"), ending))
		if id == experiment {
			continue
		}
		if all[id], err = k.read(id, scale, lost); err != nil {
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

// WriteAll packs the runs of all experiments of a paper, given by id, and returns the files that it changed.
func (k *Kept) WriteAll(scale string, all map[string][]*trace.File, references bool) ([]string, error) {
	type home struct {
		in   string
		file *trace.File
	}
	homes := map[string][]home{} // the experiments that store the runs of a key
	var changed []string
	for _, id := range slices.Sorted(maps.Keys(all)) {
		runs := slices.Clone(all[id])
		slices.SortStableFunc(runs, func(a, b *trace.File) int { return cmp.Compare(a.Manifest.Order, b.Manifest.Order) })
		var out []packed
		seen := map[string]bool{}
		for _, f := range runs {
			key := f.Manifest.Key
			if seen[key] {
				continue // two problems share this run
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

// put writes a pack unless the same text is already there. It returns the file that it wrote, or "".
func (k *Kept) put(experiment, scale string, text []byte, references bool) (string, error) {
	old := k.Path(experiment, scale)
	if there, err := readText(old); err == nil && bytes.Equal(there, text) {
		return "", nil
	}
	file := strings.TrimSuffix(old, ".gz")
	if !references && len(text) > long {
		file += ".gz"
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // the gzip header has neither time nor name
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
	if old != file {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return file, nil
}

// same reports whether two runs with one key are the same run: rows and ends are equal, and so are manifests, except
// for the fields that an experiment sets. With references, clocks are ignored too, except that b is not the same as a
// if only b had the machine to itself.
func same(a, b *trace.File, references bool) bool {
	x, y := a.Manifest, b.Manifest
	if x.Key != y.Key || x.Plan != y.Plan || (a.End == nil) != (b.End == nil) {
		return false
	}
	if !references {
		for _, m := range []*trace.Manifest{&x, &y} {
			m.Format, m.Experiment, m.Order, m.Labels, m.Because = "", "", 0, nil, ""
			if a.Manifest.Exact == "" || b.Manifest.Exact == "" { // one is from before manifests had these fields
				m.Exact, m.Kept = "", nil
			}
		}
		return equal(x, y) && equal(a.End, b.End) && sameRows(a.Rows, b.Rows)
	}
	if x.Outside && y.Outside { // another program made the rows, so they are not compared
		return a.Status() == b.Status() && equal(x.Data, y.Data) && equal(x.Spec, y.Spec)
	}
	if y.Alone && !x.Alone || x.Exact != y.Exact || x.Exact == "" || x.Thinned != y.Thinned || x.N != y.N ||
		x.Dim != y.Dim || !equal(x.Data, y.Data) || !equal(x.Spec, y.Spec) ||
		!slices.EqualFunc(a.Rows, b.Rows, func(x, y trace.Row) bool { return trace.DiffRow(x, y) == "" }) {
		return false // rows are compared too, since the digest does not reveal an edited row
	}
	if a.End == nil {
		return true
	}
	u, v := *a.End, *b.End
	for _, e := range []*trace.End{&u, &v} {
		e.Seconds, e.CPUSeconds, e.RecordSeconds, e.Load, e.GC, e.PeakBytes, e.Resumed = 0, 0, 0, nil, 0, 0, 0
	}
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
