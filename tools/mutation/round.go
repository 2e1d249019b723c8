package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// result states which check caught a bug, if any.
type result struct {
	Bug     string  `json:"bug"`          // id of the bug
	Text    string  `json:"text"`         // hash of the change, as bug.hash returns it
	Check   string  `json:"net"`          // name of the first check that caught the bug; "": none
	By      string  `json:"by,omitempty"` // the test, curve or claim by which that check caught the bug
	Seconds float64 `json:"seconds"`      // time of all checks that ran for the bug, in seconds
	Commit  string  `json:"commit"`       // commit of the checkout into whose copy the bug was written
}

// caught reports whether the compiler, go test or the gate caught the bug. The check claims does not count.
func (r result) caught() bool { return r.Check != "" && r.Check != "claims" }

// round plants bugs, one at a time, in one copy of the checkout.
type round struct {
	tree   tree
	checks []check
	commit string
	// trust states that all checks are known to pass without a bug. Then a check that fails with a bug is not run again
	// without the bug.
	trust bool

	clean map[string]outcome // for each check that compares, by name: its outcome without a bug
}

// plant writes a bug into the copy and finds the first check that catches it. It returns an error if the round was
// interrupted, or if a check fails without the bug as well.
func (r *round) plant(ctx context.Context, b bug) (result, error) {
	start := time.Now()
	out := result{Bug: b.ID, Text: b.hash(), Commit: r.commit}
	for _, c := range r.checks {
		if err := errors.Join(r.tree.sync(ctx), r.tree.plant(b)); err != nil {
			return out, err
		}
		with, err := c.run(ctx, r.tree.dir, b)
		if err != nil {
			return out, fmt.Errorf("bug %s: check %s: %w", b.ID, c.name, err)
		}
		if err := r.tree.sync(ctx); err != nil {
			return out, err
		}
		if !with.failed && !c.compares {
			continue
		}
		caught, err := r.confirmed(ctx, c, b, &with)
		if err != nil {
			return out, err
		}
		if caught {
			out.Check, out.By = c.name, with.by
			break
		}
	}
	out.Seconds = float64(int(10*time.Since(start).Seconds())) / 10
	return out, nil
}

// confirmed runs a check again without the bug, and reports whether the outcome then differs from with, the outcome
// with the bug.
func (r *round) confirmed(ctx context.Context, c check, b bug, with *outcome) (bool, error) {
	if r.trust && !c.compares {
		return true, nil
	}
	without, known := r.clean[c.name]
	if !known {
		var err error
		if without, err = c.run(ctx, r.tree.dir, b); err != nil {
			return false, err
		}
	}
	if without.failed {
		return false, fmt.Errorf("check %s fails without bug %s as well: %s", c.name, b.ID, without.by)
	}
	if !c.compares {
		return true, nil
	}
	if r.clean == nil {
		r.clean = map[string]outcome{}
	}
	r.clean[c.name] = without
	before := slices.Collect(strings.Lines(without.text))
	for i, line := range slices.Collect(strings.Lines(with.text)) {
		if i >= len(before) || before[i] != line {
			with.by = claimed(line)
			break
		}
	}
	return with.text != without.text, nil
}

// appendResult appends a result to a file, as one line.
func appendResult(path string, r result) error {
	text, err := json.Marshal(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(append(text, '\n'))
	return errors.Join(err, file.Close())
}

// readResults returns the last result of each bug, by the id of the bug, and the ids in the order of these results, the
// oldest first. It omits results of bugs that were changed later. If the file does not exist, there are no results.
func readResults(path string, bugs []bug) (last map[string]result, order []string, err error) {
	last = map[string]result{}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return last, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		var r result
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		at := indexOf(bugs, r.Bug)
		if at < 0 || bugs[at].hash() != r.Text {
			continue
		}
		order = append(slices.DeleteFunc(order, func(id string) bool { return id == r.Bug }), r.Bug)
		last[r.Bug] = r
	}
	return last, order, in.Err()
}
