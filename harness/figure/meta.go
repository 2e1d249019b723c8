package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Meta contains the information that a figure shows in addition to its curves.
type Meta struct {
	ID        string
	Title     string
	Datasets  []string
	Synthetic bool // whether the data of some curve are generated
	Scales    []string
	N         []int // numbers of training examples, ascending
	Source    Source
	Extra     []string          // names of the caller's solvers, which are not in the spec
	Share     string            // how many of the planned runs have a result, such as "3 of 4 runs"; "" if all have one
	Older     []string          // the older revisions with which some curves were made
	Hues      map[string]int    // hues of methods from AssignHues; nil if none are assigned
	Bounds    map[string]string // expressions for expr.Bound, by the names that specs use
}

// NewMeta returns the information for a figure: names from the spec, and data, scale and commit from the manifests of
// the curves.
func NewMeta(s *lang.Spec, set *trace.Set) Meta {
	m := Meta{ID: s.ID, Title: s.Title, Share: set.Share(),
		Source: Source{Spec: s.Hash, Scale: s.Scale, Overrides: s.Overrides}}
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

// Caption returns the small text below a figure: the share of the runs if some have no result, the data, the scale, the
// settings that --set changed, and the commit.
func (m Meta) Caption() string {
	var parts []string
	if m.Share != "" {
		parts = append(parts, m.Share)
	}
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

// sizes returns the numbers of training examples, or their range if there are more than three.
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

// shortCommit returns the first seven digits of a commit, and + if there were uncommitted changes.
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
