package parse

import (
	"strings"
	"testing"
)

// TestLongestLine checks the limit of the length of a line: a file without line ends is not text.
func TestLongestLine(t *testing.T) {
	for _, tt := range []struct {
		length int
		want   string // error
	}{
		{1 << 18, ""},
		{1 << 20, "f:1:327681: the line goes on: want one of at most 262144 bytes"},
	} {
		l := NewLines("f", strings.NewReader(strings.Repeat("x", tt.length)+"\n"))
		l.longest = 1 << 18
		line, err := l.ReadLine()
		if err == nil && (tt.want != "" || len(line) != tt.length) || err != nil && err.Error() != tt.want {
			t.Errorf("a line of %d bytes: read %d, error %v; want %q", tt.length, len(line), err, tt.want)
		}
	}
}
