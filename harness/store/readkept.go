package store

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
	"github.com/gaplab/gaplab/internal/machine"
)

// Kept is the folder of the results in git. It has a pack for each experiment and scale, with the figure next to it.
//
//	results/smoke/eg/fig06.jsonl     text
//	results/paper/eg/fig06.jsonl.gz  the same, compressed if it is large
//
// The packs can also be in a program or in an archive. Such packs can only be read.
type Kept struct {
	dir    string
	inside fs.FS // files of the packs, if they are not in a folder; else nil
}

// Keep returns the kept results in the folder dir, which need not exist.
func Keep(dir string) *Kept { return &Kept{dir: dir} }

// KeepIn returns the kept results in a file system, such as an archive. The paths of the packs begin with prefix, which
// names the file system in messages.
func KeepIn(inside fs.FS, prefix string) *Kept { return &Kept{dir: prefix, inside: inside} }

// long is the size in bytes above which a pack is compressed. Packs of references (see Write) are never compressed.
const long = 64 << 10

// Path returns the path of an experiment's pack, which need not exist.
func (k *Kept) Path(experiment, scale string) string {
	if k.inside != nil {
		return k.dir + k.Name(experiment, scale)
	}
	return filepath.Join(k.dir, filepath.FromSlash(k.Name(experiment, scale)))
}

// Name returns the path of an experiment's pack relative to the folder or file system, with slashes.
func (k *Kept) Name(experiment, scale string) string {
	text := path.Join(scale, filepath.ToSlash(experiment)) + ending
	var err error
	if k.inside != nil {
		_, err = fs.Stat(k.inside, text+".gz")
	} else {
		_, err = os.Stat(filepath.Join(k.dir, filepath.FromSlash(text)) + ".gz")
	}
	if err == nil {
		return text + ".gz"
	}
	return text
}

// Has reports whether there is a pack of an experiment.
func (k *Kept) Has(experiment, scale string) bool {
	var err error
	if k.inside != nil {
		_, err = fs.Stat(k.inside, k.Name(experiment, scale))
	} else {
		_, err = os.Stat(k.Path(experiment, scale))
	}
	return err == nil
}

// IsPack reports whether a file is a pack, by its name.
func IsPack(name string) bool { return strings.HasSuffix(strings.TrimSuffix(name, ".gz"), ending) }

// Experiments lists the ids of the experiments that have a pack at a scale, sorted.
func (k *Kept) Experiments(scale string) ([]string, error) {
	var ids []string
	all := os.DirFS(filepath.Join(k.dir, scale))
	if k.inside != nil {
		var err error
		if all, err = fs.Sub(k.inside, scale); err != nil {
			return nil, err
		}
	}
	err := fs.WalkDir(all, ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && name == "." {
			return nil
		}
		id, isPack := strings.CutSuffix(strings.TrimSuffix(name, ".gz"), ending)
		if err == nil && isPack && !entry.IsDir() {
			ids = append(ids, id)
		}
		return err
	})
	slices.Sort(ids)
	return slices.Compact(ids), err
}

// Read returns the runs of an experiment, in the order of the plan. A run that several experiments share is stored in
// the pack of only one of them; Read finds it there. If the experiment has no pack, the error is fs.ErrNotExist.
func (k *Kept) Read(experiment, scale string) ([]*trace.File, error) {
	return k.read(experiment, scale, nil)
}

// read does the work of Read. If known has the pack of an experiment, read uses this instead of the file.
func (k *Kept) read(experiment, scale string, known map[string][]packed) ([]*trace.File, error) {
	own, err := k.pack(experiment, scale)
	if err != nil {
		return nil, err
	}
	others := maps.Clone(known)
	if others == nil {
		others = map[string][]packed{}
	}
	var out []*trace.File
	for _, r := range own {
		if r.shared == nil {
			out = append(out, r.file)
			continue
		}
		in := r.shared.In
		if others[in] == nil {
			if others[in], err = k.pack(in, scale); err != nil {
				return nil, fmt.Errorf("%s: cannot read the run %s, which is stored in the pack of %s: %w",
					k.Path(experiment, scale), r.shared.Key, in, err)
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

// shared looks up the run r in the pack of another experiment. It returns a copy of the run with the name of this
// experiment, and with the order and labels that the run has in this experiment.
func shared(experiment string, r *sharedRun, in []packed) (*trace.File, error) {
	i := slices.IndexFunc(in, func(p packed) bool { return p.file != nil && p.file.Manifest.Key == r.Key })
	if i < 0 {
		return nil, fmt.Errorf("%w: the pack of %s does not contain the shared run %s", trace.ErrDamaged, r.In, r.Key)
	}
	file := *in[i].file
	file.Manifest.Experiment, file.Manifest.Order = experiment, r.Order
	if r.Labels != nil {
		file.Manifest.Labels = r.Labels
	}
	return &file, nil
}

// pack reads the pack of an experiment and checks that it belongs to this experiment and scale.
func (k *Kept) pack(experiment, scale string) ([]packed, error) {
	path := k.Path(experiment, scale)
	text, err := k.text(experiment, scale)
	if err != nil {
		return nil, err
	}
	head, runs, err := unpack(path, text)
	if err == nil && (head.Experiment != experiment || head.Scale != scale) {
		err = fmt.Errorf("%s: %w: it is the pack of %s at scale %s", path, trace.ErrDamaged, head.Experiment, head.Scale)
	}
	return runs, err
}

// text reads the text of an experiment's pack.
func (k *Kept) text(experiment, scale string) ([]byte, error) {
	if k.inside == nil {
		return readText(k.Path(experiment, scale))
	}
	file, err := fs.ReadFile(k.inside, k.Name(experiment, scale))
	if errors.Is(err, zip.ErrChecksum) {
		return nil, fmt.Errorf("%s: %w: %w", k.Path(experiment, scale), trace.ErrDamaged, err)
	} else if err != nil {
		return nil, err
	}
	return readPack(k.Path(experiment, scale), bytes.NewReader(file))
}

// readText reads a file, and decompresses it if its name ends in .gz. A link that leads out of the folder of the file,
// a pipe and a device are errors, and so is a text of more than mostPack bytes.
func readText(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = machine.Regular(path, info)
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenInRoot(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	return readPack(path, file)
}

// readPack reads the content of the file at path, and decompresses it if the file's name ends in .gz.
func readPack(path string, file io.ReadSeeker) ([]byte, error) {
	text, err := limited(file, strings.HasSuffix(path, ".gz"))
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, trace.ErrDamaged, err)
	}
	return text, nil
}

// limited reads a file, and decompresses it if compressed is true. If the text has more than mostPack bytes, it returns
// an error. It counts the bytes before it allocates memory for them.
func limited(file io.ReadSeeker, compressed bool) ([]byte, error) {
	open := func() (io.Reader, error) {
		if _, err := file.Seek(0, io.SeekStart); err != nil || !compressed {
			return io.LimitReader(file, mostPack+1), err
		}
		z, err := gzip.NewReader(file)
		return io.LimitReader(z, mostPack+1), err
	}
	content, err := open()
	if err != nil {
		return nil, err
	}
	n, err := io.Copy(io.Discard, content)
	if err == nil && n > mostPack {
		err = tooLarge()
	}
	if err == nil {
		content, err = open()
	}
	if err != nil {
		return nil, err
	}
	text := bytes.NewBuffer(make([]byte, 0, n+bytes.MinRead))
	_, err = text.ReadFrom(content)
	return text.Bytes(), err
}
