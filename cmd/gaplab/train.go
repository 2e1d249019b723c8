package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/firstspec"
	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/datasets"
)

const trainLong = `Train a model on a file of your own: recognise the form of FILE, write a spec in
FILE.yaml, run this spec and save the weights.

  --task tag       label each word: one token per line with its columns, which
                   tabs or spaces separate (the label is the last one), and a
                   blank line after each sentence; or CoNLL-U, or CoNLL-X
  --task parse     find the head of each word: CoNLL-U or CoNLL-X
  --task classify  label each row: CSV with the names of the columns in the
                   first line (the label is the last column), or LIBSVM format

A fifth of the examples is held out for validation, unless --validation names a
file. Three strengths of regularisation are compared on these data. The comments
in the spec say what you may change next. A file may be .gz or .bz2.`

// training holds the flags of gaplab train.
type training struct {
	sys        system
	task       term.Choice
	validation string
	label      string
	force      bool
	workers    int
}

// newTrain returns the command train.
func newTrain(sys system) *cobra.Command {
	v := &training{sys: sys, task: term.Choice{Accepted: firstspec.Tasks()}}
	cmd := &cobra.Command{
		Use:   "train FILE --task TASK",
		Short: "Train on a file of your own: write a first spec, and run it",
		Long:  trainLong,
		Example: `  gaplab train chunks.txt --task tag
  gaplab train es.conllu --task parse --validation es-dev.conllu
  gaplab train iris.csv --task classify --label species`,
		Args: between(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args[0]) },
	}
	v.task.AddTo(cmd, "task", "what to predict")
	cmd.Flags().StringVar(&v.validation, "validation", "", "`file` with the validation data, in the same form")
	cmd.Flags().StringVar(&v.label, "label", "",
		"column to predict: its `name`, or for --task tag its number from 1 (default: the last column)")
	cmd.Flags().BoolVar(&v.force, "force", false, "overwrite FILE.yaml")
	cmd.Flags().IntVarP(&v.workers, "workers", "j", 1, "number of runs at a time; the results do not depend on it")
	return cmd
}

// run writes the spec and runs it.
func (v *training) run(ctx context.Context, file string) error {
	if v.task.Value == "" {
		return term.Usage("train: give the task: --task %s", strings.Join(firstspec.Tasks(), ", --task "))
	}
	spec := file + ".yaml"
	if _, err := os.Lstat(spec); err == nil && !v.force {
		return term.Usage("%s exists; run it with `gaplab run %s --save-weights`, or overwrite it with --force", spec, spec)
	}
	text, err := v.write(ctx, file)
	if err != nil {
		return err
	}
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		return term.Usage("%w", err)
	}
	fmt.Fprintf(v.sys.err, "gaplab: wrote %s\n", spec)
	run := &runFlags{sys: v.sys}
	if err := run.command().ParseFlags([]string{"--save-weights", fmt.Sprintf("--workers=%d", v.workers)}); err != nil {
		return err
	}
	plans, err := run.plans(ctx, []string{spec})
	if err != nil {
		return err
	}
	if err := run.run(ctx, plans); err != nil {
		return err
	}
	fmt.Fprintf(v.sys.out, "spec    %s\nnext    gaplab predict %s FILE\n", spec, spec)
	return nil
}

// write returns the text of the spec for a file. It first reads all data, so that the spec fits them and their faults
// are reported before the spec is written.
func (v *training) write(ctx context.Context, file string) (string, error) {
	source := v.sys.source(true)
	var lines []string
	_, err := source.ReadOwn(ctx, file, func(path string, r io.Reader) (err error) {
		lines, err = firstLines(path, r)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return "", term.Exit(term.ExitMissing, "%w", err)
	}
	if err != nil {
		return "", term.Usage("%w", err)
	}
	form, err := firstspec.Recognise(v.task.Value, lines, v.label)
	if err != nil {
		return "", term.Usage("%s: %w", file, err)
	}
	if len(form.Numbers) > 0 {
		v.sys.note("%s: the first line is read as the names of the columns, but it has numbers, such as %s; if it is a row, "+
			"write a line with names above it", file, form.Numbers[0])
	}
	set, err := form.Loader(file, v.validation).Load(ctx, source)
	if errors.Is(err, datasets.ErrMissing) {
		return "", term.Exit(term.ExitMissing, "%w", err)
	}
	if few := (*datasets.SettingError)(nil); v.validation == "" && errors.As(err, &few) && few.Key == "validation" {
		return "", term.Usage("%s has too few examples to hold out a fifth of them; accepted: at least 5, or a file with "+
			"other examples: --validation FILE", file)
	}
	if err != nil {
		return "", term.Usage("%w", err)
	}
	validation := v.validation
	if validation != "" && !filepath.IsAbs(validation) {
		folder, err := filepath.Abs(filepath.Dir(file))
		if err != nil {
			return "", err
		}
		held, err := filepath.Abs(validation)
		if err != nil {
			return "", err
		}
		validation = filepath.ToSlash(relative(folder, held))
	}
	return form.Spec("my/"+idOf(file), filepath.Base(file), validation, set), nil
}

// idOf returns the last part of the id of a spec for a file: the name of the file without its extensions, with - in
// place of characters that ids do not have.
func idOf(file string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(filepath.Base(file), "."), ".")
	name = regexp.MustCompile(`[^A-Za-z0-9]+`).ReplaceAllString(name, "-")
	return cmp.Or(strings.Trim(name[:min(len(name), 100)], "-"), "data")
}

// firstLines returns the first lines of a text, from which its form is recognised: at most 2,000 lines and 1 MB. It
// returns an error if these are not UTF-8. Errors show path as the name of the file.
func firstLines(path string, r io.Reader) ([]string, error) {
	const most = 2000
	limited := &io.LimitedReader{R: r, N: 1 << 20}
	in := bufio.NewReader(limited)
	var lines []string
	for len(lines) < most {
		line, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, err
		}
		if err == io.EOF && (line == "" || limited.N == 0 && len(lines) > 0) { // the limit may have cut the last line
			break
		}
		line = strings.TrimPrefix(strings.TrimRight(line, "\r\n"), "\ufeff")
		if !utf8.ValidString(line) || strings.IndexByte(line, 0) >= 0 {
			return nil, &datasets.SyntaxError{Path: path, Line: len(lines) + 1, Column: 1,
				Msg: "the line is not text in UTF-8; convert the file, or write a spec with the key encoding"}
		}
		if lines = append(lines, line); err == io.EOF {
			break
		}
	}
	return lines, nil
}
