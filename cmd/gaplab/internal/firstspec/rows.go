package firstspec

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// classifying returns the form of a file for --task classify: rows with classes. The parameter label is the value of
// --label.
func classifying(lines []string, label string) (Form, error) {
	if f, ok := libsvm(lines); ok {
		if label != "" {
			return Form{}, errors.New("--label is for files with named columns; in LIBSVM format the label is the first field")
		}
		return f, nil
	}
	f, names, ok := table(lines)
	if !ok {
		return Form{}, fmt.Errorf("the form of the file is not recognised; %s", accepted(Classify))
	}
	if f.Label = label; label == "" {
		f.Label = names[len(names)-1]
	}
	return f, oneOf(f.Label, names, "the columns are")
}

// libsvm recognises rows in LIBSVM format.
func libsvm(lines []string) (f Form, ok bool) {
	row := regexp.MustCompile(`^\s*[^\s:]+(\s+\d+:[-+.\deE]+)*\s*(#.*)?$`)
	zero := regexp.MustCompile(`\s0+:`)
	f = Form{Task: Classify, Format: "libsvm"}
	for _, line := range lines {
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !row.MatchString(line) {
			return f, false
		}
		ok = ok || strings.Contains(line, ":")
		f.ZeroBased = f.ZeroBased || zero.MatchString(line)
	}
	return f, ok
}

// table recognises a table in CSV, and returns the names of its columns. Among the delimiters that give every line the
// same number of columns, it chooses the one that gives the most columns.
func table(lines []string) (f Form, names []string, ok bool) {
	f = Form{Task: Classify, Format: "csv"}
	for _, d := range []struct {
		name  string
		comma rune
	}{{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}} {
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(strings.Join(lines, "\n"), "\ufeff")))
		in.Comma, in.TrimLeadingSpace = d.comma, d.comma != '\t'
		first, err := in.Read()
		rows := 0
		for err == nil {
			if _, err = in.Read(); err == nil {
				rows++
			}
		}
		// The lines are the beginning of the file, so they may end within a quoted field.
		cut := errors.Is(err, csv.ErrQuote) && rows > 10
		if (err == io.EOF || cut) && rows > 0 && len(first) >= 2 && len(first) > len(names) {
			f.Delimiter, names = d.name, first
		}
	}
	for j, name := range names {
		names[j] = strings.TrimSpace(name)
	}
	return f, names, len(names) > 0
}
