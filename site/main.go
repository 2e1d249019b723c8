// Command site writes the documentation as a web site of static files:
//
//	go run ./site -o public
//
// The pages are the Markdown files of this repository, the articles, the help of all commands, the comments of all
// solvers and models with their formulas, and with -reports one report for each paper, in which its curves can be
// explored. The site needs no network, and its search runs in the browser. It can be opened from a folder, except for
// the playground, which needs any server of static files, such as python3 -m http.server -d public.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/gaplab/gaplab/site/playground"
)

func main() {
	out := flag.String("o", "public", "`folder` of the site")
	reports := flag.Bool("reports", true, "add the report of each paper at its own size")
	play := flag.Bool("playground", true, "compile the solvers to WebAssembly for the playground")
	flag.Parse()
	if err := run(*out, *reports, *play); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run builds the program, whose help and reports are part of the site, and writes the site.
func run(out string, reports, play bool) error {
	scratch, err := os.MkdirTemp("", "gaplab-site-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	program := filepath.Join(scratch, "gaplab")
	build := exec.Command("go", "build", "-o", program, "./cmd/gaplab")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("building gaplab: %w", err)
	}
	gaplab := func(args ...string) (string, error) {
		text, err := exec.Command(program, args...).Output()
		if err != nil {
			return "", fmt.Errorf("gaplab %v: %w", args, err)
		}
		return string(text), nil
	}
	s, err := read(".", gaplab)
	if err != nil {
		return err
	}
	if reports {
		for _, paper := range papers() {
			file := filepath.Join(out, reportOf(paper))
			if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
				return err
			}
			// Claims that are not reproduced are no fault of the page.
			if _, err := gaplab("report", paper, "--scale", "paper", "--html", file); err != nil && !isFile(file) {
				return err
			}
			s.reports = append(s.reports, paper)
		}
	}
	if err := s.write(out); err != nil {
		return err
	}
	if play {
		if err := playground.Build(filepath.Join(out, "playground")); err != nil {
			return err
		}
	}
	fmt.Println(filepath.Join(out, "index.html"))
	return nil
}

// isFile reports whether there is a file.
func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
