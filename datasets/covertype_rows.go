package datasets

import (
	"math"
	"strconv"
)

// A row of Covertype: quantities, and one-hot groups of indicators.
const (
	coverQuantities = 10
	coverAreas      = 4
	coverSoils      = 40
	coverIndicators = coverAreas + coverSoils
	coverFeatures   = coverQuantities + coverIndicators
	coverClasses    = 7
)

// coverRow is a row in 24 bytes.
type coverRow struct {
	quantity          [coverQuantities]int16
	area, soil, class uint8 // from 0
}

// read parses the next line:
//
//	10 quantities, 4 + 40 indicators, one of each group 1 and the others 0, and the class from 1 to 7; commas between
func (row *coverRow) read(in *lineReader) error {
	line, err := in.readLine()
	if err != nil {
		return err
	}
	at := 0
	for j := range row.quantity {
		q, end, ok := wholeNumber(line, at)
		if !ok {
			return in.fault(at, "want a whole number from -32768 to 32767 and a comma behind it for quantity %d of 10", j+1)
		}
		row.quantity[j], at = q, end
	}
	if len(line) != at+2*coverIndicators+1 {
		return in.fault(at, "want 44 indicators, each 0 or 1 with a comma behind it, and the class, one digit: %d bytes, "+
			"not %d",
			2*coverIndicators+1, len(line)-at)
	}
	if row.area, err = oneHot(in, line, at, coverAreas, "wilderness areas"); err != nil {
		return err
	}
	at += 2 * coverAreas
	if row.soil, err = oneHot(in, line, at, coverSoils, "types of soil"); err != nil {
		return err
	}
	at += 2 * coverSoils
	if line[at] < '1' || line[at] > '0'+coverClasses {
		return in.fault(at, "class %q: want 1 to 7", line[at:])
	}
	row.class = line[at] - '1'
	return nil
}

// wholeNumber reads a number of 16 bits and a comma behind it, and returns the place behind the comma.
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

// oneHot reads n indicators from byte at on, and returns which of them is 1.
func oneHot(in *lineReader, line []byte, at, n int, what string) (uint8, error) {
	hot, ones := 0, 0
	for j := range n {
		c, comma := line[at+2*j], line[at+2*j+1]
		if c != '0' && c != '1' || comma != ',' {
			return 0, in.fault(at+2*j, "indicator %q: want 0 or 1 and a comma behind it", line[at+2*j:at+2*j+2])
		}
		if c == '1' {
			hot = j
			ones++
		}
	}
	if ones != 1 {
		return 0, in.fault(at, "%d of the %d %s are 1: want exactly one", ones, n, what)
	}
	return uint8(hot), nil
}

// coverScale makes values of quantities.
type coverScale struct {
	unit      bool // (q−low)/(high−low), else q
	low, high [coverQuantities]int16
}

// value of quantity j; one that is the same in all training rows is 0 in units.
func (s *coverScale) value(j int, q int16) float64 {
	if !s.unit {
		return float64(q)
	}
	if s.low[j] == s.high[j] {
		return 0
	}
	return float64(int(q)-int(s.low[j])) / float64(int(s.high[j])-int(s.low[j]))
}

// labelledCover makes sparse rows with classes 1 to 7, or, if binary, -1 and +1 for class 1.
func labelledCover(rows []coverRow, scale coverScale, binary bool) *Labelled {
	stored := 2 * len(rows)
	for i := range rows {
		for j, q := range rows[i].quantity {
			if scale.value(j, q) != 0 {
				stored++
			}
		}
	}
	l := &Labelled{
		X: Rows{
			N: len(rows), Dim: coverFeatures, Start: make([]int, len(rows)+1),
			Index: make([]int32, 0, stored), Value: make([]float64, 0, stored),
		},
		Y:       make([]int, len(rows)),
		Classes: []string{"-1", "+1"},
	}
	if !binary {
		l.Classes = make([]string, coverClasses)
		for c := range l.Classes {
			l.Classes[c] = strconv.Itoa(c + 1)
		}
	}
	x := &l.X
	for i := range rows {
		row := &rows[i]
		for j, q := range row.quantity {
			if v := scale.value(j, q); v != 0 {
				x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
			}
		}
		x.Index = append(x.Index, coverQuantities+int32(row.area), coverQuantities+coverAreas+int32(row.soil))
		x.Value = append(x.Value, 1, 1)
		x.Start[i+1] = len(x.Index)
		l.Y[i] = int(row.class)
		if binary {
			l.Y[i] = 0
			if row.class == 0 {
				l.Y[i] = 1
			}
		}
	}
	return l
}
