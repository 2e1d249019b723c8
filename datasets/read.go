package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
)

// Read finds or downloads f, passes its decompressed content to parse, and checks the content against the SHA-256 in
// the catalogue. The function parse also gets the path of the file, for its error messages.
func (s Source) Read(ctx context.Context, set string, f File, parse func(path string, r io.Reader) error) error {
	path, place, ok := s.find(f)
	if !ok {
		var err error
		if path, err = s.download(ctx, set, f); err != nil {
			return err
		}
		place = InCache
	}
	err := f.read(ctx, path, s.read, func(r io.Reader) error { return parse(path, r) })
	if errors.Is(err, ErrCorrupt) {
		return fmt.Errorf("%s: %w; %s", set, err, remedy(set, place))
	}
	return err
}

// remedy returns the advice in error messages for a damaged copy of a file.
func remedy(set, place string) string {
	if place == InData {
		return "replace or remove that copy in GAPLAB_DATA"
	}
	return "get it again with: gaplab data fetch " + set
}

// ReadOwn passes the decompressed content of a user's own file to parse, together with the path of the file. It returns
// the hexadecimal SHA-256 of the content. A relative path is relative to the folder s.Dir. Nothing is downloaded. If
// parse returns an error, the rest of the file is not read. If the file is a link out of the folder s.Dir, the error
// quotes nothing of the file.
func (s Source) ReadOwn(ctx context.Context, path string, parse func(path string, r io.Reader) error) (sum string,
	err error) {
	at := s.own(path)
	c, parseErr, err := readHashed(ctx, at, 0, s.read != nil, false, func(r io.Reader) error { return parse(at, r) })
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %w", ErrMissing, err)
	}
	if parseErr != nil && linked(s.Dir, at) {
		parseErr = withoutQuotes(parseErr)
	}
	if err := cmp.Or(err, parseErr); err != nil {
		return "", err
	}
	s.read.add(readFile{Path: path}, c)
	return c.sum, nil
}

// ReadFiles passes the decompressed content of each file of a published set to parse, with the path of the file. It
// stores the checksums of the files in set.Files. It stores the joint checksum of the set's name, the settings and all
// contents in set.Checksum.
func (set *Set) ReadFiles(ctx context.Context, src Source, files []File, settings []string,
	parse func(string, io.Reader) error) error {
	identity := append([]string{set.Name}, settings...)
	for _, f := range files {
		if err := src.Read(ctx, set.Name, f, parse); err != nil {
			return err
		}
		set.Files[f.Name] = f.SHA256
		identity = append(identity, f.SHA256)
	}
	set.Checksum = Checksum(identity...)
	return nil
}

// Checksum returns the hexadecimal SHA-256 of the given strings, written one per line. The checksum identifies a data
// set with its settings.
func Checksum(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
