package edition

import (
	"errors"
	"os"
	"slices"
	"strings"
)

// Adopt copies the record of an edition in the folder from to the folder to, for the experiments ids, whose results
// were copied there. The record in to has these experiments and those of earlier calls, with the program and the
// machine of this call and the sittings of all. The parts of an edition may have been made in several folders, such as
// the timed experiments in one and the others in another. An experiment of an earlier call that this folder has to make
// again, because its code has changed since, leaves the record; Adopt returns their ids. If from has no record, because
// it is another folder with runs, Adopt does nothing.
func Adopt(from, to string, ids []string) (left []string, err error) {
	source, err := Read(from)
	if errors.Is(err, ErrNoEdition) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	target, err := Read(to)
	if errors.Is(err, ErrNoEdition) {
		target, err = &Record{}, nil
	}
	if err != nil {
		return nil, err
	}
	old, sittings := target.Experiments, target.Sittings
	*target = *source
	for _, s := range sittings {
		if !slices.ContainsFunc(target.Sittings, func(own Session) bool { return own.Began == s.Began }) {
			target.Sittings = append(target.Sittings, s)
		}
	}
	slices.SortStableFunc(target.Sittings, func(a, b Session) int { return strings.Compare(a.Began, b.Began) })
	target.Experiments = slices.DeleteFunc(slices.Clone(source.Experiments),
		func(e Entry) bool { return !slices.Contains(ids, e.ID) })
	for _, e := range old {
		there := slices.ContainsFunc(target.Experiments, func(own Entry) bool { return own.ID == e.ID })
		again := slices.ContainsFunc(source.Experiments, func(own Entry) bool { return own.ID == e.ID && own.State != Done })
		switch {
		case there:
		case again:
			left = append(left, e.ID)
		default:
			target.Experiments = append(target.Experiments, e)
		}
	}
	slices.SortFunc(target.Experiments, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	if err := os.MkdirAll(to, 0o777); err != nil {
		return nil, err
	}
	return left, target.write(to)
}
