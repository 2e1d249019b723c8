package real

import (
	"math"

	"github.com/gaplab/gaplab/datasets/internal/parse"
	"github.com/gaplab/gaplab/datasets/internal/shape"
)

// readCoverRow parses the next line. The line has comma-separated fields: 10 quantities, 4 indicators of the area and
// 40 of the soil, of which one in each group is 1 and the others are 0, and the class from 1 to 7.
func readCoverRow(row *shape.CoverRow, in *parse.Lines) error {
	line, err := in.ReadLine()
	if err != nil {
		return err
	}
	at := 0
	for j := range row.Quantity {
		q, end, ok := wholeNumber(line, at)
		if !ok {
			return in.Fault(at, "want a whole number from -32768 to 32767 and then a comma for quantity %d of 10", j+1)
		}
		row.Quantity[j], at = q, end
	}
	if len(line) != at+2*shape.CoverIndicators+1 {
		return in.Fault(at, "the rest of the line has %d bytes: want %d, for 44 indicators (each 0 or 1, and a comma) "+
			"and the class (a digit)", len(line)-at, 2*shape.CoverIndicators+1)
	}
	if row.Area, err = oneHot(in, line, at, shape.CoverAreas, "wilderness areas"); err != nil {
		return err
	}
	at += 2 * shape.CoverAreas
	if row.Soil, err = oneHot(in, line, at, shape.CoverSoils, "types of soil"); err != nil {
		return err
	}
	at += 2 * shape.CoverSoils
	if line[at] < '1' || line[at] > '0'+shape.CoverClasses {
		return in.Fault(at, "class %q: want 1 to 7", line[at:])
	}
	row.Class = line[at] - '1'
	return nil
}

// wholeNumber reads a 16-bit number and a comma, and returns the number and the index after the comma.
func wholeNumber(line []byte, at int) (q int16, end int, ok bool) {
	negative := at < len(line) && line[at] == '-'
	if negative {
		at++
	}
	n, first := 0, at
	for at < len(line) && line[at] >= '0' && line[at] <= '9' && at < first+6 {
		n = 10*n + int(line[at]-'0')
		at++
	}
	if negative {
		n = -n
	}
	return int16(n), at + 1, at > first && at < len(line) && line[at] == ',' && n >= math.MinInt16 && n <= math.MaxInt16
}

// oneHot reads n comma-separated indicators, from byte at of the line, and returns the index of the indicator that is
// 1. The argument what names the group of indicators in errors.
func oneHot(in *parse.Lines, line []byte, at, n int, what string) (uint8, error) {
	hot, ones := 0, 0
	for j := range n {
		c, comma := line[at+2*j], line[at+2*j+1]
		if c != '0' && c != '1' || comma != ',' {
			return 0, in.Fault(at+2*j, "indicator %q: want 0 or 1 and then a comma", line[at+2*j:at+2*j+2])
		}
		if c == '1' {
			hot = j
			ones++
		}
	}
	if ones != 1 {
		return 0, in.Fault(at, "%d of the %d %s are 1: want exactly one", ones, n, what)
	}
	return uint8(hot), nil
}
