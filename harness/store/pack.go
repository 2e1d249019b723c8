package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/gaplab/gaplab/harness/trace"
)

// packFormat names the layout of a pack: all runs of an experiment at a scale in lines of JSON. A head holds what the
// manifests have in common; each run is a line with the rest, its columns and those that are constant, and its end,
// and then a line for each row, an array of the values of the other columns, in order:
//
//	{"pack":{"format":"gaplab-pack/1","experiment":"eg/fig06","scale":"smoke","runs":4,"common":{...}}}
//	{"run":{"manifest":{...},"columns":["epoch","primal"],"constants":{"lambda":0.01},"rows":2,"end":{...}}}
//	[0,0.69314718]
//	[1,0.51]
//	{"shared":{"in":"eg/fig01","key":"0123456789abcdef","order":1}}
//	{"digest":"..."}
//
// A value that a row lacks is null; a row's warnings are an array after its values. A run that an earlier experiment of
// the paper holds is named, not repeated. The digest is SHA-256 of all bytes before its line.
const packFormat = "gaplab-pack/1"

// packLine is a line of a pack that is no row.
type packLine struct {
	Pack   *packHead  `json:"pack,omitempty"`
	Run    *packedRun `json:"run,omitempty"`
	Shared *sharedRun `json:"shared,omitempty"`
	Digest string     `json:"digest,omitempty"`
}

type packHead struct {
	Format     string         `json:"format"`
	Experiment string         `json:"experiment"`
	Scale      string         `json:"scale"`
	Runs       int            `json:"runs"`
	Common     map[string]any `json:"common"` // of the manifests of the runs that are here, by level
}

type packedRun struct {
	Manifest  map[string]any     `json:"manifest"` // without what is common
	Columns   []string           `json:"columns,omitempty"`
	Constants map[string]float64 `json:"constants,omitempty"`
	Rows      int                `json:"rows"`
	End       *trace.End         `json:"end,omitempty"`
}

// sharedRun names a run that another experiment holds.
type sharedRun struct {
	In     string         `json:"in"`
	Key    string         `json:"key"`
	Order  int            `json:"order"`
	Labels map[string]any `json:"labels,omitempty"` // where they are others than there
}

// packed is one run of a pack: here, or in another one.
type packed struct {
	file   *trace.File
	shared *sharedRun
}

// pack is the text of the runs of an experiment. The same runs give the same bytes.
func pack(experiment, scale string, runs []packed) ([]byte, error) {
	head := packHead{Format: packFormat, Experiment: experiment, Scale: scale, Runs: len(runs)}
	trees := make([]map[string]any, len(runs))
	for i, r := range runs {
		if r.shared != nil {
			continue
		}
		var err error
		if trees[i], err = treeOf(r.file.Manifest); err != nil {
			return nil, err
		}
		if head.Common == nil {
			head.Common = trees[i]
		} else {
			head.Common = common(head.Common, trees[i])
		}
	}
	var out bytes.Buffer
	if err := writeLine(&out, packLine{Pack: &head}); err != nil {
		return nil, err
	}
	for i, r := range runs {
		if r.shared != nil {
			if err := writeLine(&out, packLine{Shared: r.shared}); err != nil {
				return nil, err
			}
			continue
		}
		run := packedRun{Manifest: rest(trees[i], head.Common), Rows: len(r.file.Rows), End: r.file.End}
		run.Columns, run.Constants = columns(r.file.Rows)
		if err := writeLine(&out, packLine{Run: &run}); err != nil {
			return nil, fmt.Errorf("%s: %w", r.file.Describe(), err)
		}
		for _, row := range r.file.Rows {
			if err := writeRow(&out, run.Columns, row); err != nil {
				return nil, fmt.Errorf("%s: %w", r.file.Describe(), err)
			}
		}
	}
	sum := sha256.Sum256(out.Bytes())
	err := writeLine(&out, packLine{Digest: hex.EncodeToString(sum[:])})
	return out.Bytes(), err
}

func writeLine(out *bytes.Buffer, v any) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// columns are those of rows that differ between rows, and the values of those that do not.
func columns(rows []trace.Row) (names []string, constants map[string]float64) {
	seen := map[string]bool{}
	for _, r := range rows {
		for name := range r.Values {
			seen[name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen)) {
		first, same := rows[0].Values[name]
		for _, r := range rows {
			v, ok := r.Values[name]
			same = same && ok && math.Float64bits(v) == math.Float64bits(first)
		}
		if !same {
			names = append(names, name)
			continue
		}
		if constants == nil {
			constants = map[string]float64{}
		}
		constants[name] = first
	}
	return names, constants
}

// writeRow writes the values of a row, each in its shortest form that reads back the same.
func writeRow(out *bytes.Buffer, columns []string, r trace.Row) error {
	out.WriteByte('[')
	for i, name := range columns {
		if i > 0 {
			out.WriteByte(',')
		}
		v, ok := r.Values[name]
		if !ok {
			out.WriteString("null")
			continue
		}
		text, err := json.Marshal(v)
		if err != nil {
			return fmt.Errorf("column %s: %w", name, err)
		}
		out.Write(text)
	}
	if len(r.Warnings) > 0 {
		if len(columns) > 0 {
			out.WriteByte(',')
		}
		var text bytes.Buffer
		if err := writeLine(&text, r.Warnings); err != nil {
			return err
		}
		out.Write(bytes.TrimSpace(text.Bytes()))
	}
	out.WriteString("]\n")
	return nil
}
