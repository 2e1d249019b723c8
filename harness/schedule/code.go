package schedule

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/trace"
)

// Sources are hashes of the code of each part of a run; nil if the program does not know its sources.
func Sources(cat lang.Catalogue, r lang.Run) map[string]string {
	if cat.Sources == nil {
		return nil
	}
	out := map[string]string{}
	for _, p := range cat.Components(r) {
		out[p.Name] = cat.Sources(p.Package)
	}
	return out
}

func (x *experiment) sources(r lang.Run) map[string]string { return Sources(x.options.Catalogue, r) }

// otherCode lists the parts of a result that were made by different code of the same revisions. It is empty for a
// result that does not say which code made it.
func (x *experiment) otherCode(j *job, f *trace.File) []string {
	return trace.Differing(f.Manifest.Sources, x.sources(j.Run))
}

// noteCode remembers parts made by different code, for one line when the experiment ends.
func (x *experiment) noteCode(parts []string) {
	if len(parts) == 0 {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.otherRuns++
	for _, p := range parts {
		if !slices.Contains(x.otherParts, p) {
			x.otherParts = append(x.otherParts, p)
		}
	}
}

// reportCode says which reused results were made by different code.
func (x *experiment) reportCode() {
	if x.otherRuns == 0 {
		return
	}
	slices.Sort(x.otherParts)
	x.report(Event{Kind: Noted, Why: fmt.Sprintf("reused: %d results of the same revisions, made by "+
		"different code of %s (--same-code repeats them)", x.otherRuns, strings.Join(x.otherParts, ", "))}, false)
}

// Agree says whether a result was made under the settings of a run, both as in a manifest, defaults included: they
// differ where a default has changed without a revision. A setting that only the run has was added later: the result
// was made as its default says.
func Agree(made, now map[string]any) bool {
	for key, v := range made {
		other, known := now[key]
		if !known {
			continue
		}
		a, aMap := v.(map[string]any)
		b, bMap := other.(map[string]any)
		switch {
		case aMap && bMap:
			if !Agree(a, b) {
				return false
			}
		case number(v) != nil && number(other) != nil:
			if *number(v) != *number(other) {
				return false
			}
		case !equalLists(v, other):
			return false
		}
	}
	return true
}

// Complete is what a result was made under, with the settings that were added since, as a run has them: two results of
// one problem then have equal settings, whenever they were made. made and now agree (Agree), and are not changed.
func Complete(made, now map[string]any) map[string]any {
	out := maps.Clone(now)
	for key, v := range made {
		a, aMap := v.(map[string]any)
		b, bMap := now[key].(map[string]any)
		if aMap && bMap {
			v = Complete(a, b)
		}
		out[key] = v
	}
	return out
}

// equalLists compares values of JSON, in which numbers have one kind.
func equalLists(a, b any) bool {
	return reflect.DeepEqual(a, b) || fmt.Sprint(a) == fmt.Sprint(b)
}

func number(v any) *float64 {
	r := reflect.ValueOf(v)
	if !r.IsValid() || !r.CanConvert(reflect.TypeFor[float64]()) || r.Kind() == reflect.String {
		return nil
	}
	f := r.Convert(reflect.TypeFor[float64]()).Float()
	return &f
}
