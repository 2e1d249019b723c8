package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Meta is what a figure says besides its curves.
type Meta struct {
	ID        string
	Title     string
	Datasets  []string
	Synthetic bool // some of the data is made by a generator
	Scales    []string
	N         []int // training examples, ascending
	Source    Source
	Extra     []string          // names of the caller's solvers, which the spec does not know
	Older     []string          // revisions that made some of the curves, if older than the program's
	Hues      map[string]int    // of methods, as AssignHues gives them to all figures of a paper; nil: none are given
	Bounds    map[string]string // by the names that panels may call them by: expressions as in expr.Bound
}

// NewMeta takes from a spec what it is called, and from the manifests of its curves which data, scale and commit they
// came from.
func NewMeta(s *lang.Spec, set *trace.Set) Meta {
	m := Meta{ID: s.ID, Title: s.Title, Source: Source{Spec: s.Hash, Scale: s.Scale, Overrides: s.Overrides}}
	for _, c := range set.Curves {
		manifest := c.File.Manifest
		m.Synthetic = m.Synthetic || manifest.Data.Synthetic
		name := manifest.Data.Name
		if manifest.Data.Synthetic {
			name += " (generated)"
		}
		m.Datasets = include(m.Datasets, name)
		m.Scales = include(m.Scales, manifest.Scale)
		m.Source.Runs = include(m.Source.Runs, manifest.Key)
		m.Older = include(m.Older, c.File.Older)
		m.Source.Commits = include(m.Source.Commits, shortCommit(manifest.Commit, manifest.Dirty))
		if !slices.Contains(m.N, manifest.N) {
			m.N = append(m.N, manifest.N)
		}
	}
	slices.Sort(m.N)
	return m
}

// Caption is the small line below a figure: which data, which scale, what was overridden, which commit.
func (m Meta) Caption() string {
	var parts []string
	for _, part := range []struct {
		name   string
		values []string
	}{{"data", m.Datasets}, {"n", m.sizes()}, {"scale", m.Scales}, {"with", m.Source.Overrides},
		{"commit", m.Source.Commits}, {"older revisions", m.Older}} {
		if len(part.values) > 0 {
			parts = append(parts, part.name+" "+strings.Join(part.values, ", "))
		}
	}
	return strings.Join(parts, " · ")
}

func (m Meta) sizes() []string {
	switch n := len(m.N); {
	case n == 0:
		return nil
	case n <= 3:
		var out []string
		for _, v := range m.N {
			out = append(out, fmt.Sprint(v))
		}
		return out
	default:
		return []string{fmt.Sprintf("%d to %d", m.N[0], m.N[n-1])}
	}
}

func include(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

func shortCommit(commit string, dirty bool) string {
	if commit == "" {
		return ""
	}
	short := commit[:min(len(commit), 7)]
	if dirty {
		short += "+"
	}
	return short
}
