package datasets

import (
	"cmp"
	"errors"
	"path/filepath"
	"regexp"
)

// linked reports whether path is in the folder dir, but leads through a link to a file outside of dir. The author of
// the spec in dir can have made this link without having permission to read the file.
func linked(dir, path string) bool {
	dir = cmp.Or(dir, ".")
	realDir, err1 := filepath.EvalSymlinks(dir)
	realPath, err2 := filepath.EvalSymlinks(path)
	return err1 == nil && err2 == nil && within(dir, path) && !within(realDir, realPath)
}

// within reports whether path is in the folder dir. It does not follow links.
func within(dir, path string) bool {
	dir, err1 := filepath.Abs(dir)
	path, err2 := filepath.Abs(path)
	rest, err3 := filepath.Rel(dir, path)
	return errors.Join(err1, err2, err3) == nil && filepath.IsLocal(rest)
}

// withoutQuotes removes the quoted texts of the file from a SyntaxError.
func withoutQuotes(err error) error {
	var syntax *SyntaxError
	if errors.As(err, &syntax) {
		syntax.Msg = regexp.MustCompile(`"(\\.|[^"\\])*"`).ReplaceAllString(syntax.Msg, "…") +
			" (the text is not quoted, since the file is a link out of the spec's folder)"
	}
	return err
}
