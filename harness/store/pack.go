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

// packFormat names the layout of a pack. A pack contains all runs of an experiment at a scale as lines of JSON. The
// first line, the head, contains the fields that are equal in all manifests. Each run has one line with the rest of its
// manifest, the names of its varying columns, the values of its constant columns, and its end. Then each row has one
// line: an array of the values of the varying columns, in order:
//
//	{"pack":{"format":"gaplab-pack/1","experiment":"eg/fig06","scale":"smoke","runs":4,"common":{...}}}
//	{"run":{"manifest":{...},"columns":["epoch","primal"],"constants":{"lambda":0.01},"rows":2,"end":{...}}}
//	[0,0.69314718]
//	[1,0.51]
//	{"shared":{"in":"eg/fig01","key":"0123456789abcdef","order":1}}
//	{"digest":"..."}
//
// A missing value is null. A row's warnings are an array after its values. A run that is in the pack of an earlier
// experiment of the paper is not stored a second time: a line "shared" names that pack. The digest is the SHA-256 of
// all bytes before the line of the digest.
const packFormat = "gaplab-pack/1"

// packLine is any line of a pack except a row. Exactly one field is set.
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
	Common     map[string]any `json:"common"` // fields that are equal in all manifests, nested as in a manifest
}

type packedRun struct {
	Manifest  map[string]any     `json:"manifest"` // without the fields in Common
	Columns   []string           `json:"columns,omitempty"`
	Constants map[string]float64 `json:"constants,omitempty"`
	Rows      int                `json:"rows"`
	End       *trace.End         `json:"end,omitempty"`
}

// sharedRun refers to a run in the pack of another experiment.
type sharedRun struct {
	In     string         `json:"in"`
	Key    string         `json:"key"`
	Order  int            `json:"order"`
	Labels map[string]any `json:"labels,omitempty"` // labels of the run here, if they differ from those in the other pack
}

// packed is one run of a pack: the run itself, or a reference to the pack that contains it.
type packed struct {
	file   *trace.File
	shared *sharedRun
}

// pack encodes the runs of an experiment. The same runs give the same bytes.
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

// columns returns the names of the columns that vary between rows, and the values of the constant columns.
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

// writeRow writes the values of a row, each as the shortest text that is read back as the same float.
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
