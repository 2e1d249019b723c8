package expr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gaplab/gaplab/harness/trace"
)

// OfRepetition returns the same evidence, except that the times of repeated runs are those of repetition k, counted
// from 0, and not medians (see trace.Set).
func (on Evidence) OfRepetition(k int) Evidence {
	other := on.Other
	on.Set = on.Set.OfRepetition(k)
	if other != nil {
		on.Other = func(experiment string) (*trace.Set, error) {
			set, err := other(experiment)
			if err == nil {
				set = set.OfRepetition(k)
			}
			return set, err
		}
	}
	return on
}

// Repetitions returns the largest number of repetitions of a curve whose times were read so far; 1 if none was
// repeated.
func (e *Evaluation) Repetitions() int {
	most := 1
	for _, c := range e.timed {
		most = max(most, c.Repetitions())
	}
	return most
}

// Apart returns a text that says why the times that were read so far cannot be compared: they were measured on
// different machines, or in different sittings (trace.Curve.Sitting). It returns "" if they can be compared. Times of
// one run alone are compared with nothing.
func (e *Evaluation) Apart() string {
	for k := range e.Repetitions() {
		count := map[string]int{}
		var sittings []string
		for _, c := range e.timed {
			s := c.Sitting(k)
			if count[s]++; count[s] == 1 {
				sittings = append(sittings, s)
			}
		}
		if len(sittings) < 2 {
			continue
		}
		const most = 3
		var parts []string
		for _, s := range sittings[:min(most, len(sittings))] {
			parts = append(parts, fmt.Sprintf("%d on %s", count[s], s))
		}
		if len(sittings) > most {
			parts = append(parts, fmt.Sprintf("and %d more", len(sittings)-most))
		}
		return "it compares times that were not measured on one machine in one sitting: runs " + strings.Join(parts, "; ")
	}
	return ""
}

// Timed returns the ids of the experiments whose times were read so far, sorted.
func (e *Evaluation) Timed() []string {
	var ids []string
	for _, c := range e.timed {
		ids = append(ids, c.File.Manifest.Experiment)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// busy returns a text with the number of runs whose times were read so far although the machine was busy (trace.Quiet);
// "" if there are none.
func (e *Evaluation) busy() string {
	n, most := 0, 0.0
	for _, c := range e.timed {
		if slowdown := c.Slowdown(); slowdown > trace.Quiet {
			n, most = n+1, max(most, slowdown)
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("the machine was busy during %d of the %d runs whose times are read: a loop of known work took up "+
		"to %.2f times its best time", n, len(e.timed), most)
}

// Ranges returns the value of an expression as Measure formats it, and after each number that differs between
// repetitions of the runs, its range over the repetitions, such as 11.6 (10.9 to 12.4).
func (e *Evaluation) Ranges(source string) (string, error) {
	value, err := e.evaluate(source, false)
	if err != nil {
		return "", err
	}
	value = quantitiesOf(source, value)
	n := e.Repetitions()
	if n == 1 {
		return format(value), nil
	}
	others := make([]any, n)
	for k := range others {
		if others[k], err = NewEvaluation(e.on.OfRepetition(k)).evaluate(source, false); err != nil {
			return "", err
		}
		others[k] = quantitiesOf(source, others[k])
	}
	return format(ranged(value, others)), nil
}

// ranged replaces each number of a value, which may be a list or quantities, by a text with the number and its range
// over others, the values of the same expression in each repetition. It leaves a number as it is if its range is a
// point.
func ranged(value any, others []any) any {
	if x, err := number(value); err == nil {
		low, high := x, x
		for _, o := range others {
			y, err := number(o)
			if err != nil {
				return value
			}
			low, high = min(low, y), max(high, y)
		}
		if low == high {
			return value
		}
		return fmt.Sprintf("%s (%s to %s)", formatNumber(x), formatNumber(low), formatNumber(high))
	}
	if q, ok := value.(quantities); ok {
		values := make([]any, len(others))
		for k, o := range others {
			if other, same := o.(quantities); same && slices.Equal(other.names, q.names) {
				values[k] = other.values
			}
		}
		q.values, _ = ranged(q.values, values).([]any)
		return q
	}
	list, ok := elements(value)
	if !ok {
		return value
	}
	lists := make([][]any, len(others))
	for k, o := range others {
		if lists[k], ok = elements(o); !ok || len(lists[k]) != len(list) {
			return value
		}
	}
	out := slices.Clone(list)
	for i, v := range list {
		own := make([]any, len(others))
		for k := range others {
			own[k] = lists[k][i]
		}
		out[i] = ranged(v, own)
	}
	return out
}
