package trace

import (
	"fmt"
	"strings"
)

// Failures describes the runs that failed or diverged. If every run failed, diverged or is unsupported, it describes
// the unsupported runs too. It skips runs that lang.Choose compared with others and did not choose.
func Failures(files []*File) []string {
	var failed, unsupported []string
	ended := false
	for _, f := range files {
		text := ""
		if f.End != nil {
			why := strings.TrimPrefix(f.End.Why, string(f.End.Status)+": ")
			text = fmt.Sprintf("%s: %s: %s", f.Describe(), f.End.Status, why)
		}
		switch f.Status() {
		case Failed, Diverged:
			if chosen, ok := f.End.Labels["chosen"]; ok && chosen == false {
				continue // was compared with other runs and not chosen
			}
			failed = append(failed, text)
		case Unsupported:
			unsupported = append(unsupported, text)
		default:
			ended = true
		}
	}
	if !ended {
		return append(failed, unsupported...)
	}
	return failed
}
