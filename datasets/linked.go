package datasets

import (
	"cmp"
	"errors"
	"path/filepath"
	"regexp"
)

// linked reports whether the file at path lies in the folder dir, but is a link, or lies behind a link, to a place
// outside of dir. Whoever wrote the spec in dir may have made the link, and need not be allowed to read the file.
func linked(dir, path string) bool {
	dir = cmp.Or(dir, ".")
	realDir, err1 := filepath.EvalSymlinks(dir)
	realPath, err2 := filepath.EvalSymlinks(path)
	return err1 == nil && err2 == nil && within(dir, path) && !within(realDir, realPath)
}

// within reports whether a path leads to a place in the folder dir, if no part of it is a link.
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
