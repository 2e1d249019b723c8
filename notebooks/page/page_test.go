package page

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/notebooks/ipynb"
)

const executed = `{"nbformat": 4, "cells": [
 {"cell_type": "markdown", "source": ["# Gaps & bounds\n\n",
  "The gap $P_i(w) - D_{i}$ of *one* example, ` + "`a_$b$`" + `, and\n\n",
  "$$\\sum_i \\alpha_i \\le \\frac{1}{2}$$\n\ncosts 3 $."]},
 {"cell_type": "code", "source": "x < y && z\n", "execution_count": 1, "outputs": [
  {"output_type": "stream", "name": "stdout", "text": ["a\n", "b\n"]},
  {"output_type": "stream", "name": "stdout", "text": "c\n"},
  {"output_type": "display_data", "data": {"text/html": "<svg><path/></svg>", "text/plain": "figure"}},
  {"output_type": "display_data", "data": {"text/markdown": "**bold**"}},
  {"output_type": "stream", "name": "stderr", "text": "\u001b[31mwrong <b>\u001b[0m"},
  {"output_type": "display_data", "data": {"text/html": ""}}]}]}`

// TestWrite checks that a page has the texts with their formulas, the code and the outputs, and requests nothing from
// the network.
func TestWrite(t *testing.T) {
	nb, err := ipynb.Read([]byte(executed))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, nb, "file"); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		"<title>Gaps &amp; bounds</title>", "<em>one</em>", "<code>a_$b$</code>", "costs 3 $.</p>",
		"<pre class=\"code\">x &lt; y &amp;&amp; z</pre>", "<pre class=\"out\">a\nb\nc\n</pre>",
		"<div class=\"shown\"><svg><path/></svg></div>", "<strong>bold</strong>",
		"<pre class=\"out error\">wrong &lt;b&gt;</pre>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not contain %s", want)
		}
	}
	if n := strings.Count(page, "<math"); n != 2 {
		t.Errorf("the page has %d formulas in MathML, want 2", n)
	}
	if n := strings.Count(page, "class=\"shown\""); n != 2 {
		t.Errorf("the page shows %d displayed outputs, want 2: it must omit the empty one", n)
	}
}

// TestCommittedNotebooks checks that all formulas of the committed notebooks are converted to MathML, and that no page
// loads anything from the network.
func TestCommittedNotebooks(t *testing.T) {
	files, err := filepath.Glob("../*.ipynb")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d notebooks, error %v; want at least one", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		nb, err := ipynb.Read(text)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, nb, filepath.Base(file)); err != nil {
			t.Errorf("writing the page of %s: %v", file, err)
		}
		page := b.String()
		if strings.Contains(page, "$$") || strings.Contains(page, `\frac`) && !strings.Contains(page, "<math") {
			t.Errorf("%s: a formula is not converted", file)
		}
		if loads := regexp.MustCompile(`<link|src="https?:`).FindString(page); loads != "" {
			t.Errorf("%s: the page loads %s, want nothing", file, loads)
		}
	}
}
