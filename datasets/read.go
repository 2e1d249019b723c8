package datasets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// ReadFiles passes the decompressed files of a published set to parse, one after the other, with the path of each, and
// notes their checksums in the set. The set's own checksum is that of its name, the settings and the contents.
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

// Checksum is the SHA-256 of its parts, one per line: the identity of what was read, and how.
func Checksum(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p + "\n"))
	}
	return hex.EncodeToString(h.Sum(nil))
}
