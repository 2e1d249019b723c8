package mutation

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

// Result is what came of a bug.
type Result struct {
	Bug     string  `json:"bug"`          // its id
	Text    string  `json:"text"`         // Bug.Text
	Net     string  `json:"net"`          // the first net that caught it; "": none
	By      string  `json:"by,omitempty"` // what of that net
	Seconds float64 `json:"seconds"`      // of all nets that were cast
	Commit  string  `json:"commit"`       // of the checkout
}

// Round plants bugs, one after the other, in one tree.
type Round struct {
	Tree   Tree
	Nets   []Net
	Commit string
	// Trust: a net is not cast again without the bug, which tells what a bug breaks from what was broken before.
	Trust bool

	clean map[string]outcome // of nets that compare
}

// Plant finds the first net that catches a bug. An error means that there is no result: the round was interrupted, or a
// net catches what is no bug.
func (r *Round) Plant(ctx context.Context, b Bug) (Result, error) {
	start := time.Now()
	result := Result{Bug: b.ID, Text: b.Text(), Commit: r.Commit}
	for _, net := range r.Nets {
		if err := errors.Join(r.Tree.Sync(ctx), r.Tree.Plant(b)); err != nil {
			return result, err
		}
		with, err := net.cast(ctx, r.Tree.Dir, b)
		if err != nil {
			return result, fmt.Errorf("bug %s: net %s: %w", b.ID, net.Name, err)
		}
		if err := r.Tree.Sync(ctx); err != nil {
			return result, err
		}
		if !with.failed && !net.compares {
			continue
		}
		caught, err := r.confirmed(ctx, net, b, &with)
		if err != nil {
			return result, err
		}
		if caught {
			result.Net, result.By = net.Name, with.by
			break
		}
	}
	result.Seconds = float64(int(10*time.Since(start).Seconds())) / 10
	return result, nil
}

// confirmed casts a net in the tree without the bug, and says whether it is the bug that it caught.
func (r *Round) confirmed(ctx context.Context, net Net, b Bug, with *outcome) (bool, error) {
	if r.Trust && !net.compares {
		return true, nil
	}
	without, known := r.clean[net.Name]
	if !known {
		var err error
		if without, err = net.cast(ctx, r.Tree.Dir, b); err != nil {
			return false, err
		}
	}
	if without.failed {
		return false, fmt.Errorf("net %s fails without bug %s as well: %s", net.Name, b.ID, without.by)
	}
	if !net.compares {
		return true, nil
	}
	if r.clean == nil {
		r.clean = map[string]outcome{}
	}
	r.clean[net.Name] = without
	before := slices.Collect(strings.Lines(without.text))
	for i, line := range slices.Collect(strings.Lines(with.text)) {
		if i >= len(before) || before[i] != line {
			with.by = claimed(line)
			break
		}
	}
	return with.text != without.text, nil
}

// Append adds a result to a file of results, one a line.
func Append(path string, result Result) error {
	text, err := json.Marshal(result)
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

// Read is the last result of each bug as it stands in the list, by id, from a file that need not exist. Results of
// bugs that have changed since are left out.
func Read(path string, bugs []Bug) (map[string]Result, []string, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]Result{}, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	last := map[string]Result{}
	var order []string // ids, the oldest result first
	in := bufio.NewScanner(file)
	for n := 1; in.Scan(); n++ {
		var result Result
		if err := json.Unmarshal(in.Bytes(), &result); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", path, n, err)
		}
		at := slices.IndexFunc(bugs, func(b Bug) bool { return b.ID == result.Bug })
		if at < 0 || bugs[at].Text() != result.Text {
			continue
		}
		order = append(slices.DeleteFunc(order, func(id string) bool { return id == result.Bug }), result.Bug)
		last[result.Bug] = result
	}
	return last, order, in.Err()
}
