package datasets

import (
	"context"
	"io"
)

// readFiles passes files of the catalogue to parse, one after the other, and notes their checksums in the set. The
// set's own checksum is that of its name, the settings and the contents.
func (set *Set) readFiles(ctx context.Context, src Source, files []File, settings []string,
	parse func(string, io.Reader) error) error {
	identity := append([]string{set.Name}, settings...)
	for _, f := range files {
		if err := src.read(ctx, set.Name, f, parse); err != nil {
			return err
		}
		set.Files[f.Name] = f.SHA256
		identity = append(identity, f.SHA256)
	}
	set.Checksum = checksum(identity...)
	return nil
}
