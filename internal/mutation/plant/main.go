// Plant plants the bugs of package mutation in a copy of this checkout, and writes docs/PLANTED.md.
//
//	go run ./internal/mutation/plant [flags] [BUG...]
//
// Results are appended to a file as they come, so that a round may be interrupted and goes on where it was. The exit
// code is 1 if a bug survived that no one has given a reason for, and 2 if there was no telling.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/gaplab/gaplab/internal/mutation"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survived, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "plant:", err)
		os.Exit(2)
	case survived > 0:
		os.Exit(1)
	}
}

// errBudget ends a round that has taken its time.
var errBudget = errors.New("the budget is spent")

// settings are the flags.
type settings struct {
	copy, results, page string
	budget              time.Duration
	only                string
	renew, quick        bool
}

// keeps says whether results are those of all nets, which the file and the page are about.
func (s settings) keeps() bool { return !s.quick && s.only == "" }

// run plants what the arguments ask for, and returns how many bugs survived without a reason.
func run(ctx context.Context, args []string, out io.Writer) (survived int, err error) {
	var s settings
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	flags := flag.NewFlagSet("plant", flag.ContinueOnError)
	flags.StringVar(&s.copy, "copy", filepath.Join(cache, "gaplab-planted", "tree"),
		"`folder` of the copy; its own: other files in it are removed")
	flags.StringVar(&s.results, "results", "internal/mutation/results.jsonl", "`file` to which results are appended")
	flags.StringVar(&s.page, "page", "docs/PLANTED.md", "`file` to write the page to; empty: none")
	flags.DurationVar(&s.budget, "budget", 0, "end after this `time`; the next round goes on; 0: when all is done")
	flags.BoolVar(&s.renew, "renew", false, "plant again what has a result of another commit, the oldest first")
	flags.StringVar(&s.only, "only", "", "cast this `net` alone, and keep no result")
	flags.BoolVar(&s.quick, "quick", false,
		"plant the few bugs that cheap nets catch, cast those nets only, and keep no result")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	bugs, err := mutation.Bugs()
	if err != nil {
		return 0, err
	}
	round, err := s.round(ctx)
	if err != nil {
		return 0, err
	}
	if err := os.MkdirAll(s.copy, 0o777); err != nil {
		return 0, err
	}
	lock := flock.New(s.copy + ".lock")
	if held, err := lock.TryLock(); err != nil || !held {
		return 0, errors.Join(fmt.Errorf("another round is at work in %s", s.copy), err)
	}
	defer lock.Unlock()
	list, err := s.list(bugs, flags.Args(), round.Commit)
	if err != nil {
		return 0, err
	}
	if s.budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.budget, errBudget)
		defer cancel()
	}
	for i, b := range list {
		result, err := round.Plant(ctx, b)
		if cause := context.Cause(ctx); cause != nil {
			fmt.Fprintf(out, "%v: %d of %d bugs are left\n", cause, len(list)-i, len(list))
			break
		}
		if err != nil {
			return survived, err
		}
		says := fmt.Sprintf("caught by %s: %s", result.Net, result.By)
		if result.Net == "" {
			says = "SURVIVED"
			if b.Survives != "" {
				says = "survived, as it is known to: " + b.Survives
			} else {
				survived++
			}
		}
		fmt.Fprintf(out, "%3d/%d %6.1f s  %s: %s\n", i+1, len(list), result.Seconds, b.ID, says)
		if !s.keeps() {
			continue
		}
		if err := mutation.Append(s.results, result); err != nil {
			return survived, err
		}
	}
	if !s.keeps() || s.page == "" {
		return survived, nil
	}
	results, _, err := mutation.Read(s.results, bugs)
	if err != nil {
		return survived, err
	}
	return survived, os.WriteFile(s.page, []byte(mutation.Page(bugs, results)), 0o666)
}

// round is one in a copy of the checkout in the working folder.
func (s settings) round(ctx context.Context) (*mutation.Round, error) {
	git := func(args ...string) (string, error) {
		text, err := exec.CommandContext(ctx, "git", args...).Output()
		return strings.TrimSpace(string(text)), err
	}
	root, err := git("rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("git rev-parse: %w: want the module's root in a checkout", err)
	}
	if _, err := os.Stat("go.mod"); err != nil {
		return nil, fmt.Errorf("%w: want the module's root", err)
	}
	commit, err := git("rev-parse", "HEAD")
	if err != nil {
		return nil, err
	}
	r := &mutation.Round{Tree: mutation.Tree{From: root, Dir: s.copy}, Nets: mutation.Nets(), Commit: commit}
	if s.quick { // its nets have just passed: that is what it is run after
		r.Nets, r.Trust = r.Nets[:mutation.Cheap], true
	}
	if s.only != "" {
		r.Nets = slices.DeleteFunc(r.Nets, func(n mutation.Net) bool { return n.Name != s.only })
		if len(r.Nets) == 0 {
			return nil, fmt.Errorf("there is no net %q", s.only)
		}
	}
	return r, nil
}

// list are the bugs to plant, in their order: those that are named, or those without a result; with renew, then those
// with a result of another commit.
func (s settings) list(bugs []mutation.Bug, names []string, commit string) ([]mutation.Bug, error) {
	find := func(id string) (mutation.Bug, bool) {
		i := slices.IndexFunc(bugs, func(b mutation.Bug) bool { return b.ID == id })
		if i < 0 {
			return mutation.Bug{}, false
		}
		return bugs[i], true
	}
	var out []mutation.Bug
	if len(names) > 0 {
		for _, name := range names {
			b, ok := find(name)
			if !ok {
				return nil, fmt.Errorf("there is no bug %q in internal/mutation/bugs.yaml", name)
			}
			out = append(out, b)
		}
		return out, nil
	}
	if s.quick {
		return slices.DeleteFunc(slices.Clone(bugs), func(b mutation.Bug) bool { return !b.Quick }), nil
	}
	if s.only != "" {
		return bugs, nil
	}
	results, order, err := mutation.Read(s.results, bugs)
	if err != nil {
		return nil, err
	}
	for _, b := range bugs {
		if _, done := results[b.ID]; !done {
			out = append(out, b)
		}
	}
	for _, id := range order {
		if b, ok := find(id); ok && s.renew && results[id].Commit != commit {
			out = append(out, b)
		}
	}
	return out, nil
}
