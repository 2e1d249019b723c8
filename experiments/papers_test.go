package experiments_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
)

// TestPapersSayWhatTheyAre checks that the README.md of each paper begins with a title and a citation.
func TestPapersSayWhatTheyAre(t *testing.T) {
	papers := experiments.Papers()
	index, err := experiments.Index()
	if err != nil {
		t.Fatal(err)
	}
	published := map[string]bool{} // the others have experiments of no paper
	for id, item := range index {
		published[item.Paper] = item.Paper != ""
		key, _, _ := strings.Cut(id, "/")
		if !slices.ContainsFunc(papers, func(p experiments.Paper) bool { return p.Key == key }) {
			t.Errorf("%s: Papers does not list %s", id, key)
		}
	}
	citation := regexp.MustCompile(`^[A-Z].* and .*\*[A-Z][^*]+\*.*\b(19|20)\d\d\b.*\.$`)
	for _, p := range papers {
		if published[p.Key] && (p.Title == "" || !citation.MatchString(p.Citation)) {
			t.Errorf("%s: title %q, citation %q; want a first paragraph with the authors, the *title* and the year", p.Key,
				p.Title, p.Citation)
		}
	}
}
