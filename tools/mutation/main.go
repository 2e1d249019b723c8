// Mutation measures how well the checks of gaplab catch a wrong change. It plants bugs in a copy of the checkout, one
// at a time: it writes a bug into a file and runs the checks. For each bug it records the first check that catches it:
// the compiler, the tests of the package, the conformance suites, all tests, the gate, or the claims about the kept
// results.
//
//	go -C tools/mutation run .             # plants the bugs without a result, then writes docs/PLANTED.md
//	go -C tools/mutation run . -renew      # then also plants all other bugs again, the oldest results first
//	go -C tools/mutation run . BUG...      # plants these bugs
//
// Each result is appended to results.jsonl at once, so an interrupted round resumes where it stopped. The exit code is
// 1 if a bug survived (no check caught it) and bugs.yaml gives no reason, and 2 if the round failed.
//
// The bugs in bugs.yaml are written by people. Tools that mutate Go (go-mutesting, gremlins, ooze) change every
// operator, constant and statement. Here that would give tens of thousands of programs, and each must be tested; most
// fail at once or compute the same results. The errors that matter in a harness for experiments change a meaning: a
// wrong quantity is counted, a key omits a setting, validation data leak into training, a tolerance applies to the
// wrong number. Only someone who knows the code can write such bugs. Also, none of those tools runs the cheapest checks
// first, which catch most bugs within seconds.
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
	"syscall"
	"time"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	survived, err := run(ctx, os.Args[1:], os.Stdout)
	switch {
	case errors.Is(err, flag.ErrHelp):
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(2)
	case survived > 0:
		os.Exit(1)
	}
}

// errBudget is the cause that ends a round whose time is used up.
var errBudget = errors.New("the budget is spent")

// settings holds the path of the checkout and the flags.
type settings struct {
	root                string
	copy, results, page string
	budget              time.Duration
	only                string
	renew, quick        bool
}

// keeps reports whether results are recorded. They are recorded only if all checks run.
func (s settings) keeps() bool { return !s.quick && s.only == "" }

// run plants the bugs that the arguments ask for, and returns how many survived without a reason.
func run(ctx context.Context, args []string, out io.Writer) (survived int, err error) {
	text, err := exec.CommandContext(ctx, "git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return 0, fmt.Errorf("git rev-parse: %w; run it in a checkout of gaplab", err)
	}
	s := settings{root: strings.TrimSpace(string(text))}
	cache, err := os.UserCacheDir()
	if err != nil {
		cache = os.TempDir()
	}
	flags := flag.NewFlagSet("mutation", flag.ContinueOnError)
	flags.StringVar(&s.copy, "copy", filepath.Join(cache, "gaplab-planted", "tree"),
		"plant the bugs in a copy of the checkout in this `folder`; all other files in it are removed")
	flags.StringVar(&s.results, "results", filepath.Join(s.root, "tools/mutation/results.jsonl"),
		"append the results to this `file`")
	flags.StringVar(&s.page, "page", filepath.Join(s.root, "docs/PLANTED.md"),
		"write the page to this `file`; empty: write none")
	flags.DurationVar(&s.budget, "budget", 0, "stop after this `time`; the next round resumes; 0: no limit")
	flags.BoolVar(&s.renew, "renew", false, "also plant bugs again whose result is of another commit, the oldest first")
	flags.StringVar(&s.only, "only", "", "run only this `check`, and record no result")
	flags.BoolVar(&s.quick, "quick", false, "plant the few bugs that cheap checks catch, and record no result")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	bugs, err := readBugs()
	if err != nil {
		return 0, err
	}
	round, err := s.round(ctx)
	if err != nil {
		return 0, err
	}
	unlock, err := lock(s.copy)
	if err != nil {
		return 0, err
	}
	defer unlock()
	list, err := s.list(bugs, flags.Args(), round.commit)
	if err != nil {
		return 0, err
	}
	if s.budget > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, s.budget, errBudget)
		defer cancel()
	}
	for i, b := range list {
		result, err := round.plant(ctx, b)
		if cause := context.Cause(ctx); cause != nil {
			fmt.Fprintf(out, "%v: %d of %d bugs are left\n", cause, len(list)-i, len(list))
			break
		}
		if err != nil {
			return survived, err
		}
		outcome := fmt.Sprintf("caught by %s: %s", result.Check, result.By)
		switch {
		case result.Check == "" && b.Survives == "":
			survived++
			outcome = "SURVIVED"
		case result.Check == "":
			outcome = "survived, as expected: " + b.Survives
		}
		fmt.Fprintf(out, "%3d/%d %6.1f s  %s: %s\n", i+1, len(list), result.Seconds, b.ID, outcome)
		if !s.keeps() {
			continue
		}
		if err := appendResult(s.results, result); err != nil {
			return survived, err
		}
	}
	if !s.keeps() || s.page == "" {
		return survived, nil
	}
	results, _, err := readResults(s.results, bugs)
	if err != nil {
		return survived, err
	}
	return survived, os.WriteFile(s.page, []byte(pageOf(bugs, results)), 0o666)
}

// lock creates the folder for the copy of the checkout and locks it, so that no second round uses the folder at the
// same time.
func lock(dir string) (unlock func(), err error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	file, err := os.Create(dir + ".lock")
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(fmt.Errorf("another call of this program uses the folder %s", dir), err, file.Close())
	}
	return func() { file.Close() }, nil
}

// round returns a round with a copy of the checkout and the checks that the flags ask for.
func (s settings) round(ctx context.Context) (*round, error) {
	commit, err := exec.CommandContext(ctx, "git", "rev-parse", "HEAD").Output()
	if err != nil {
		return nil, fmt.Errorf("git rev-parse HEAD: %w", err)
	}
	r := &round{tree: tree{from: s.root, dir: s.copy}, checks: checks(), commit: strings.TrimSpace(string(commit))}
	if s.quick { // .ci/run has just seen these checks pass without a bug
		r.checks, r.trust = r.checks[:cheap], true
	}
	if s.only != "" {
		r.checks = slices.DeleteFunc(r.checks, func(c check) bool { return c.name != s.only })
		if len(r.checks) == 0 {
			return nil, fmt.Errorf("no check %q; accepted: %s", s.only, strings.Join(names(checks()), ", "))
		}
	}
	return r, nil
}

// list returns the bugs to plant, in order. If names are given, these are the named bugs; else all bugs without a
// result. With renew, they are followed by the bugs whose result belongs to another commit.
func (s settings) list(bugs []bug, names []string, commit string) ([]bug, error) {
	if len(names) > 0 {
		var out []bug
		for _, name := range names {
			i := indexOf(bugs, name)
			if i < 0 {
				return nil, fmt.Errorf("no bug %q in tools/mutation/bugs.yaml", name)
			}
			out = append(out, bugs[i])
		}
		return out, nil
	}
	if s.quick {
		return slices.DeleteFunc(slices.Clone(bugs), func(b bug) bool { return !b.Quick }), nil
	}
	if s.only != "" {
		return bugs, nil
	}
	results, order, err := readResults(s.results, bugs)
	if err != nil {
		return nil, err
	}
	out := slices.DeleteFunc(slices.Clone(bugs), func(b bug) bool { _, done := results[b.ID]; return done })
	for _, id := range order {
		if s.renew && results[id].Commit != commit {
			out = append(out, bugs[indexOf(bugs, id)])
		}
	}
	return out, nil
}
