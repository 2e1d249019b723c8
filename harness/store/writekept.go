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

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/replace"
)

// Write packs the runs of an experiment and returns the files that it changed. If the pack of an earlier experiment of
// the paper contains a run, Write stores only a reference to that pack. If the pack of another experiment refers to a
// run that this pack no longer contains, Write copies the run to the other pack. If the experiment's old pack cannot be
// read, it is replaced. Other packs may refer to runs in the old pack; Write then looks up these runs in the argument
// runs. If references is true, the runs are references: a new run that differs from the kept run only in its times does
// not replace it.
func (k *Kept) Write(experiment, scale string, runs []*trace.File, references bool) ([]string, error) {
	paper := path.Dir(experiment)
	all := map[string][]*trace.File{}
	found, err := filepath.Glob(filepath.Join(k.dir, scale, filepath.FromSlash(paper), "*"+ending+"*"))
	if err != nil {
		return nil, err
	}
	lost := map[string][]packed{} // the new runs, used if the experiment's old pack cannot be read
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
	if k.inside != nil {
		return nil, fmt.Errorf("%s: %w", k.dir, errors.ErrUnsupported)
	}
	type home struct {
		in   string
		file *trace.File
	}
	homes := map[string][]home{} // by key, the experiments whose packs contain a run
	var changed []string
	for _, id := range slices.Sorted(maps.Keys(all)) {
		runs := slices.Clone(all[id])
		slices.SortStableFunc(runs, func(a, b *trace.File) int { return cmp.Compare(a.Manifest.Order, b.Manifest.Order) })
		var out []packed
		seen := map[string]bool{}
		for _, f := range runs {
			key := f.Manifest.Key
			if seen[key] {
				continue // two problems of the experiment share this run
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

// put writes the text of a pack unless the file has the same text already. It returns the path that it wrote, or "".
func (k *Kept) put(experiment, scale string, text []byte, references bool) (string, error) {
	old := k.Path(experiment, scale)
	if len(text) > mostPack {
		return "", fmt.Errorf("%s: %w", old, tooLarge())
	}
	if there, err := readText(old); err == nil && bytes.Equal(there, text) {
		return "", nil
	}
	file := strings.TrimSuffix(old, ".gz")
	if !references && len(text) > long {
		file += ".gz"
		var out bytes.Buffer
		z, err := gzip.NewWriterLevel(&out, gzip.BestCompression) // equal runs give equal bytes
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
	if err := replace.WriteFile(file, text, 0o666); err != nil {
		return "", err
	}
	if old != file {
		if err := os.Remove(old); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	return file, nil
}

// same reports whether two runs with one key are the same run. Rows and ends must be equal. Manifests must be equal
// except for the fields that an experiment sets. If references is true, times may differ. But if only b had the machine
// to itself, the times of b are more reliable, and the runs count as different.
func same(a, b *trace.File, references bool) bool {
	x, y := a.Manifest, b.Manifest
	if x.Key != y.Key || x.Plan != y.Plan || (a.End == nil) != (b.End == nil) {
		return false
	}
	if !references {
		for _, m := range []*trace.Manifest{&x, &y} {
			m.Format, m.Experiment, m.Order, m.Labels, m.Because = "", "", 0, nil, ""
			if a.Manifest.Exact == "" || b.Manifest.Exact == "" { // an old run, made before the fields Exact and Kept existed
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
		return false // compare the rows too: somebody may have edited a row but not the digest Exact
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
