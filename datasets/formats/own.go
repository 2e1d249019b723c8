package formats

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// ownFiles holds the settings that all formats of the user's own files have: a training file, and validation data.
type ownFiles struct {
	path       string
	validation Held
	seed       uint64
	train      int
	encoding   string
	unit       string // what the examples are called, such as "rows"
}

// paths returns the paths of the training file and of the validation file, if there is one.
func (o ownFiles) paths() []string {
	if o.validation.file() == "" {
		return []string{o.path}
	}
	return []string{o.path, o.validation.file()}
}

// texts returns the encoding of the files. If the name of the encoding is unknown, it returns UTF-8; check reports the
// unknown name.
func (o ownFiles) texts() parse.Encoding {
	e, err := parse.FindEncoding(o.encoding)
	if err != nil {
		return parse.Encoding{}
	}
	return e
}

// check returns an error for settings of the loader that are out of range or that conflict. The argument format is the
// name of the format in the messages.
func (o ownFiles) check(format string, loader any) error {
	var path, held, encoding error
	if o.path == "" {
		path = check.Refuse("path", o.path, "the "+format+" file to train on")
	}
	if v := o.validation.fraction(); v < 0 || v >= 1 {
		held = check.Refuse("validation", v, "the path of a file, or a fraction: a number ≥ 0 and < 1")
	}
	if _, err := parse.FindEncoding(o.encoding); err != nil {
		encoding = check.Refuse("encoding", o.encoding, "an IANA name such as ISO-8859-1, windows-1252 or UTF-16")
	}
	return errors.Join(path, check.Settings(loader), held, encoding)
}

// read passes the content of one file to the function read, and stores the checksum of the file in set.Files. Errors
// contain key, the key of the spec that has the path of the file.
func (o ownFiles) read(ctx context.Context, src datasets.Source, set *datasets.Set, key, path string,
	read func(string, io.Reader) error) error {
	sum, err := src.ReadOwn(ctx, path, func(path string, r io.Reader) error { return read(path, o.texts().Decode(r)) })
	if err != nil {
		return fmt.Errorf("dataset: %s: %w", key, err)
	}
	set.Files[path] = sum
	return nil
}

// parts reads all files with the function read, which must append the examples to a list. The function count must
// return the length of this list. parts returns the indices in the list of the training examples and of the validation
// examples. If there are no validation data, validation is nil.
func (o ownFiles) parts(ctx context.Context, src datasets.Source, set *datasets.Set, read func(string, io.Reader) error,
	count func() int) (train, validation []int, err error) {
	if err := o.read(ctx, src, set, "path", o.path, read); err != nil {
		return nil, nil, err
	}
	n := count()
	switch {
	case o.validation.file() != "":
		if err := o.read(ctx, src, set, "validation", o.validation.file(), read); err != nil {
			return nil, nil, err
		}
		return parse.Between(0, n), parse.Between(n, count()), nil
	case o.validation.fraction() > 0:
		return o.holdOut(n)
	}
	return parse.Between(0, n), nil, nil
}

// holdOut draws at random which of n examples are validation examples. Both returned lists of indices are in increasing
// order.
func (o ownFiles) holdOut(n int) (train, validation []int, err error) {
	held := int(o.validation.fraction() * float64(n))
	if held == 0 {
		return nil, nil, check.Refuse("validation", o.validation.fraction(),
			fmt.Sprintf("a fraction that holds out at least one of the %d %s", n, o.unit))
	}
	perm := rand.New(rand.NewPCG(o.seed, 0)).Perm(n)
	slices.Sort(perm[:held])
	slices.Sort(perm[held:])
	return perm[held:], perm[:held], nil
}

// identity returns the checksum of a data set. It depends on the files' checksums, the settings in o, and further
// settings of the format.
func (o ownFiles) identity(set *datasets.Set, format string, more ...string) string {
	if name := o.texts().Name(); name != "" {
		more = append(more, name)
	}
	return datasets.Checksum(append([]string{format, set.Files[o.path], set.Files[o.validation.file()],
		strconv.Itoa(o.train), strconv.FormatFloat(o.validation.fraction(), 'g', -1, 64),
		strconv.FormatUint(o.seed, 10)}, more...)...)
}
