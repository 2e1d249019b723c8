package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// unpack decodes a pack. An error names the file and the line.
func unpack(path string, text []byte) (*packHead, []packed, error) {
	u := &unpacking{path: path, text: text}
	head, runs, err := u.all()
	switch {
	case err == nil || errors.Is(err, trace.ErrFormat):
	case u.number > 0:
		err = fmt.Errorf("%w: %w", trace.ErrDamaged, err)
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %w", path, u.number, err)
	}
	return head, runs, nil
}

// unpacking is the state of reading a pack.
type unpacking struct {
	path   string
	text   []byte
	at     int // offset in text of the next line
	number int // number of the last line that was read, counted from 1
	bytes  int // about the memory of what was read
	keys   map[string]bool
}

// mostPack is the largest accepted size of a pack, decompressed. mostUnpacked is the largest memory that its runs may
// need. This limit is separate, because a short line may give many values: a constant column of a run is repeated in
// each row of the run, and the head of the pack in each run. The largest packs of this repository have 8 MB and take 40
// MB of memory.
const (
	mostPack     = 64 << 20
	mostUnpacked = 256 << 20
)

// tooLarge returns the error of a pack of more than mostPack bytes.
func tooLarge() error {
	return fmt.Errorf("it has more than %d MB; accepted: at most %[1]d MB", mostPack>>20)
}

// take adds memory that the runs need.
func (u *unpacking) take(bytes int) error {
	if u.bytes += bytes; u.bytes > mostUnpacked {
		return fmt.Errorf("its runs need more than %d MB of memory; accepted: at most %[1]d MB", mostUnpacked>>20)
	}
	return nil
}

// add records the key of a run. It returns an error if the pack has two runs with the key.
func (u *unpacking) add(key string) error {
	if u.keys[key] {
		return fmt.Errorf("a second run with the key %q", key)
	}
	if u.keys == nil {
		u.keys = map[string]bool{}
	}
	u.keys[key] = true
	return nil
}

// next returns the next line, without its newline.
func (u *unpacking) next() ([]byte, error) {
	u.number++
	end := bytes.IndexByte(u.text[u.at:], '\n')
	if end < 0 {
		return nil, errors.New("the pack ends before its digest")
	}
	line := u.text[u.at : u.at+end]
	u.at += end + 1
	return line, nil
}

// line decodes the next line, which must not be a row.
func (u *unpacking) line() (packLine, error) {
	text, err := u.next()
	if err != nil {
		return packLine{}, err
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	var l packLine
	if err := d.Decode(&l); err != nil {
		return l, fmt.Errorf("not a line of a pack: %w", err)
	}
	if l.Shared != nil {
		for name, v := range l.Shared.Labels {
			if n, ok := v.(json.Number); ok {
				if l.Shared.Labels[name], err = n.Float64(); err != nil {
					return l, err
				}
			}
		}
	}
	if d.More() {
		return l, errors.New("more text after the JSON object")
	}
	return l, nil
}

func (u *unpacking) all() (*packHead, []packed, error) {
	var first struct{ Pack struct{ Format string } }
	if i := bytes.IndexByte(u.text, '\n'); i > 0 && json.Unmarshal(u.text[:i], &first) == nil &&
		first.Pack.Format != packFormat {
		u.number = 1
		return nil, nil, fmt.Errorf("format %q: %w; this program reads %q", first.Pack.Format, trace.ErrFormat, packFormat)
	}
	l, err := u.line()
	if err != nil {
		return nil, nil, err
	}
	if l.Pack == nil {
		return nil, nil, errors.New("the first line is not the head of a pack")
	}
	head := l.Pack
	var runs []packed
	for {
		before := u.at
		l, err := u.line()
		if err != nil {
			return nil, nil, err
		}
		switch {
		case l.Run != nil:
			file, err := u.run(head, l.Run)
			if err != nil {
				return nil, nil, err
			}
			runs = append(runs, packed{file: file})
		case l.Shared != nil:
			if err := errors.Join(u.add(l.Shared.Key), l.Shared.check()); err != nil {
				return nil, nil, err
			}
			runs = append(runs, packed{shared: l.Shared})
		case l.Digest != "":
			sum := sha256.Sum256(u.text[:before])
			switch {
			case hex.EncodeToString(sum[:]) != l.Digest || u.at != len(u.text):
				return nil, nil, errors.New("its digest does not match its bytes")
			case len(runs) != head.Runs:
				return nil, nil, fmt.Errorf("the pack has %d runs, but its head counts %d", len(runs), head.Runs)
			}
			return head, runs, nil
		default:
			return nil, nil, errors.New(`unknown kind of line; accepted: "run", "shared", "digest"`)
		}
	}
}

// check returns an error if the name of the other pack could lead out of the folder of the packs.
func (r *sharedRun) check() error {
	if !fs.ValidPath(r.In) || strings.Contains(r.In, `\`) {
		return fmt.Errorf("the run %s is shared with %q; accepted: the id of an experiment, such as eg/fig06", r.Key, r.In)
	}
	return nil
}

// check returns an error if the numbers and names that describe the rows are impossible.
func (r *packedRun) check() error {
	if r.Rows < 0 {
		return fmt.Errorf("a run has %d rows; accepted: 0 or more", r.Rows)
	}
	seen := map[string]bool{}
	for _, name := range r.Columns {
		if _, constant := r.Constants[name]; constant || seen[name] {
			return fmt.Errorf("a run has the column %q twice", name)
		}
		seen[name] = true
	}
	return nil
}

// run reads a run with its rows.
func (u *unpacking) run(head *packHead, r *packedRun) (*trace.File, error) {
	if err := r.check(); err != nil {
		return nil, err
	}
	f := &trace.File{Path: u.path, End: r.End}
	own := joined(head.Common, r.Manifest)
	own["format"], own["experiment"], own["scale"] = trace.Format, head.Experiment, head.Scale
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, &f.Manifest); err != nil {
		return nil, fmt.Errorf("manifest: %w", err)
	}
	if err := errors.Join(u.add(f.Manifest.Key), u.take(4*len(text))); err != nil {
		return nil, err
	}
	for range r.Rows {
		text, err := u.next()
		if err == nil {
			err = u.take(100 + len(text) + 48*(len(r.Columns)+len(r.Constants)))
		}
		if err != nil {
			return nil, err
		}
		row, err := parseRow(text, r)
		if err != nil {
			return nil, err
		}
		f.Rows = append(f.Rows, row)
	}
	return f, nil
}

func parseRow(text []byte, r *packedRun) (trace.Row, error) {
	values := maps.Clone(r.Constants)
	if values == nil {
		values = make(map[string]float64, len(r.Columns))
	}
	row := trace.Row{Values: values}
	s := string(text)
	if len(s) < 2 || s[0] != '[' || s[len(s)-1] != ']' {
		return row, errors.New("not a row")
	}
	s = s[1 : len(s)-1]
	if i := strings.IndexByte(s, '['); i >= 0 {
		if err := json.Unmarshal([]byte(s[i:]), &row.Warnings); err != nil {
			return row, fmt.Errorf("warnings of a row: %w", err)
		}
		s = strings.TrimSuffix(s[:i], ",")
	}
	var fields []string
	if s != "" {
		fields = strings.Split(s, ",")
	}
	if len(fields) != len(r.Columns) {
		return row, fmt.Errorf("a row has %d values, but its run has %d columns", len(fields), len(r.Columns))
	}
	for i, field := range fields {
		if field == "null" {
			continue
		}
		v, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) { // values are finite (see trace.Row)
			return row, fmt.Errorf("not a number: %q", field)
		}
		values[r.Columns[i]] = v
	}
	return row, nil
}
