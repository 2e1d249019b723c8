package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/gaplab/gaplab/cmd/gaplab/internal/term"
	"github.com/gaplab/gaplab/internal/amount"
	"github.com/gaplab/gaplab/notebooks/ipynb"
	"github.com/gaplab/gaplab/notebooks/jupyter"
	"github.com/gaplab/gaplab/notebooks/page"
)

// notebookRun is the command gaplab notebook run with its flags.
type notebookRun struct {
	sys     system
	scale   term.Choice
	out     string
	html    bool
	jobs    int
	timeout time.Duration
}

func newNotebookRun(sys system) *cobra.Command {
	v := &notebookRun{sys: sys, scale: term.Choice{Accepted: scales()}}
	cmd := &cobra.Command{
		Use:   "run [FILE...]",
		Short: "Execute notebooks, and fail if a cell fails",
		Long: `Execute notebooks from beginning to end: the named files, or without names all
notebooks of this checkout. A cell is reported if it fails, if it writes to
standard error, or if it has the tag "figure" but shows no figure. The exit code
is then 3.

With --html each notebook becomes a page that needs no network: formulas are
MathML. The notebooks themselves are not changed. Jupyter and the kernel keep
their files in .cache of the checkout and write nothing to your home folder.`,
		Example: `  gaplab notebook run
  gaplab notebook run --html --out pages
  gaplab notebook run notebooks/eg.ipynb --scale quick`,
		RunE: func(cmd *cobra.Command, args []string) error { return v.run(cmd.Context(), args) },
	}
	v.scale.AddTo(cmd, "scale", "size of the experiments (default: smoke)")
	cmd.Flags().StringVar(&v.out, "out", "", "keep the executed notebooks and pages in this `folder` (default: keep none)")
	cmd.Flags().BoolVar(&v.html, "html", false, "make a page of each notebook, in the folder of --out")
	cmd.Flags().IntVarP(&v.jobs, "workers", "j", min(2, runtime.GOMAXPROCS(0)), "number of notebooks at a time")
	cmd.Flags().DurationVar(&v.timeout, "timeout", 15*time.Minute, "longest `time` of a cell; 0: no limit")
	return cmd
}

func (v *notebookRun) run(ctx context.Context, files []string) error {
	switch {
	case v.jobs < 1:
		return term.Usage("-j %d is out of range; accepted: 1 or more", v.jobs)
	case v.html && v.out == "":
		return term.Usage("--html needs a folder for the pages; add: --out DIR")
	}
	root, err := checkoutRoot()
	if err != nil && len(files) == 0 {
		return err
	}
	if files, err = notebooksOf(root, files); err != nil {
		return err
	}
	if _, err := jupyter.FindConverter(); err != nil {
		return err
	}
	if v.out == "" {
		if v.out, err = os.MkdirTemp("", "gaplab-notebooks-"); err != nil {
			return err
		}
		defer os.RemoveAll(v.out)
	} else if err := os.MkdirAll(v.out, 0o777); err != nil {
		return err
	}
	cache := filepath.Join(root, ".cache", "notebooks")
	if root == "" { // notebooks without cells in Go need no checkout
		if cache, err = os.MkdirTemp("", "gaplab-jupyter-"); err != nil {
			return err
		}
		defer os.RemoveAll(cache)
	}
	home, err := v.prepare(ctx, root, cache, files)
	if err != nil {
		return err
	}
	fmt.Fprintf(v.sys.err, "executing %s, %d at a time\n", amount.Count(len(files), "notebook"), min(v.jobs, len(files)))
	return v.all(ctx, files, home)
}

// notebooksOf returns the notebooks to execute: the named files, or all notebooks of the checkout if there are no
// names.
func notebooksOf(root string, files []string) ([]string, error) {
	if len(files) == 0 {
		return filepath.Glob(filepath.Join(root, "notebooks", "*.ipynb"))
	}
	return files, nil
}

// prepare installs the kernels of the notebooks into a private home folder, and compiles the packages that cells in Go
// import. If a cell had to compile them, the compiler's output would appear as the cell's output on standard error.
func (v *notebookRun) prepare(ctx context.Context, root, cache string, files []string) (jupyter.Home, error) {
	home, err := jupyter.Private(cache)
	if err != nil {
		return home, err
	}
	data, err := home.Data()
	if err != nil {
		return home, err
	}
	if _, err := installOwn(data); err != nil {
		return home, err
	}
	goCells := false
	for _, f := range files {
		nb, err := ipynb.ReadFile(f)
		if err != nil {
			return home, term.Usage("%w", err)
		}
		goCells = goCells || nb.Metadata.Kernel.Name == jupyter.GoNB
	}
	if !goCells {
		return home, nil
	}
	if _, err := checkoutRoot(); err != nil {
		return home, err
	}
	var said bytes.Buffer
	if _, err := v.sys.installGoNB(ctx, data, &said); err != nil {
		return home, fmt.Errorf("%w\n%s", err, &said)
	}
	build := exec.CommandContext(ctx, "go", "-C", root, "build", "./notebooks/...")
	build.Stdout, build.Stderr = &said, &said
	if err := build.Run(); err != nil {
		return home, fmt.Errorf("go build ./notebooks/...: %w\n%s", err, &said)
	}
	return home, nil
}

// all executes the notebooks and prints a report on each, in order.
func (v *notebookRun) all(ctx context.Context, files []string, home jupyter.Home) error {
	var faults term.Faults
	said := make([]chan func() error, len(files))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(v.jobs + 1) // one more for the goroutine that reports
	for i := range said {
		said[i] = make(chan func() error, 1)
	}
	g.Go(func() error {
		for _, report := range said {
			select {
			case f := <-report:
				faults.Add(f())
			case <-inner.Done():
				return inner.Err()
			}
		}
		return nil
	})
	for i, file := range files {
		g.Go(func() error {
			said[i] <- v.one(inner, file, home)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return faults.Err()
}

// one executes a notebook, and returns a function that prints the report on it.
func (v *notebookRun) one(ctx context.Context, file string, home jupyter.Home) (report func() error) {
	begun := time.Now()
	job := jupyter.Job{Notebook: file, To: v.out, Timeout: v.timeout}
	if v.scale.Value != "" {
		job.Environment = []string{"GAPLAB_SCALE=" + v.scale.Value}
	}
	executed, problems, err := jupyter.Execute(ctx, job, home)
	if err != nil {
		return func() error { return err }
	}
	nb, err := ipynb.ReadFile(executed)
	if err == nil && v.html {
		err = writePage(nb, strings.TrimSuffix(executed, ".ipynb"))
	}
	took := time.Since(begun)
	return func() error {
		if err != nil {
			return err
		}
		for _, p := range problems {
			fmt.Fprintf(v.sys.out, "%s: %s\n", file, p)
		}
		if len(problems) > 0 {
			return term.Exit(term.ExitFailed, "%s: %s failed", file, amount.Count(len(problems), "cell"))
		}
		fmt.Fprintf(v.sys.out, "%s: %d cells, %s, %.0f s\n", file, nb.CodeCells(), amount.Count(nb.Figures(), "figure"),
			took.Seconds())
		return nil
	}
}

// writePage writes an executed notebook as a web page to name.html.
func writePage(nb *ipynb.Notebook, name string) error {
	file, err := os.Create(name + ".html")
	if err != nil {
		return err
	}
	if err := page.Write(file, nb, filepath.Base(name)); err != nil {
		file.Close()
		return err
	}
	return file.Close()
}
