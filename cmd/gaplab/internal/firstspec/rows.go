package firstspec

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/internal/amount"
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
	f, names, err := table(lines)
	switch {
	case err != nil:
		return Form{}, &formError{err.Error(), Classify}
	case len(names) == 0:
		return Form{}, &formError{"", Classify}
	}
	if f.Label = label; label == "" {
		f.Label = names[len(names)-1]
	}
	for _, name := range names {
		if _, err := strconv.ParseFloat(name, 64); err == nil {
			f.Numbers = append(f.Numbers, name)
		}
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
// same number of columns, it chooses the one that gives the most columns. If there is none, the error states which line
// does not fit the delimiter that gives the first line the most columns. If no delimiter divides the first line, there
// are neither names nor an error.
func table(lines []string) (f Form, names []string, why error) {
	f = Form{Task: Classify, Format: "csv"}
	widest := 1
	for _, d := range []struct {
		name  string
		comma rune
	}{{"comma", ','}, {"tab", '\t'}, {"semicolon", ';'}} {
		in := csv.NewReader(strings.NewReader(strings.TrimPrefix(strings.Join(lines, "\n"), "\ufeff")))
		in.Comma, in.TrimLeadingSpace = d.comma, d.comma != '\t'
		first, err := in.Read()
		rows := 0
		var row []string
		for err == nil {
			if row, err = in.Read(); err == nil {
				rows++
			}
		}
		// The lines are the beginning of the file, so they may end within a quoted field.
		cut := errors.Is(err, csv.ErrQuote) && rows > 10
		switch {
		case (err == io.EOF || cut) && rows > 0:
			if len(first) >= 2 && len(first) > len(names) {
				f.Delimiter, names = d.name, first
			}
		case len(first) > widest:
			why, widest = misfit(d.name, len(first), len(row), err), len(first)
		}
	}
	for j, name := range names {
		names[j] = strings.TrimSpace(name)
	}
	if len(names) > 0 {
		why = nil
	}
	return f, names, why
}

// misfit returns an error that states why a row does not fit a table whose first line has the given number of columns.
func misfit(delimiter string, columns, fields int, err error) error {
	var fault *csv.ParseError
	switch {
	case err == io.EOF:
		return fmt.Errorf("in CSV with the delimiter %s, it has %d columns and no rows", delimiter, columns)
	case !errors.As(err, &fault):
		return err
	case errors.Is(err, csv.ErrFieldCount):
		return fmt.Errorf("in CSV with the delimiter %s, line %d has %s and the first line has %d", delimiter,
			fault.StartLine, amount.Count(fields, "field"), columns)
	}
	return fmt.Errorf("in CSV with the delimiter %s, line %d is wrong: %w", delimiter, fault.Line, fault.Err)
}
