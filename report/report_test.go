package report_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/experiments"
)

var full = flag.Bool("full", false, "make the page of all experiments at full size, which takes 20 seconds")

// most is the largest allowed size of the page of all experiments, in bytes. A page of this size can be sent by mail,
// and a browser opens it without delay.
const most = 12_000_000

// TestSizeOfAll checks the size of the page with all experiments at full size, made from the committed results.
func TestSizeOfAll(t *testing.T) {
	if !*full {
		t.Skip("this test is slow; to run it, use go test ./report -run TestSizeOfAll -args -full")
	}
	text, err := page("paper", experiments.IDs()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the page has %d bytes", len(text))
	if len(text) > most {
		t.Errorf("the page has %d bytes, want at most %d", len(text), most)
	}
	if n := bytes.Count(text, []byte("<article ")); n != len(experiments.IDs()) {
		t.Errorf("the page has %d experiments, want %d", n, len(experiments.IDs()))
	}
}

// TestThirdParty checks that the committed copy of uPlot has the version that the script uplot/fetch downloads, and
// that THIRD_PARTY contains uPlot's version and licence, and the licence of the page's typeface.
func TestThirdParty(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	version := regexp.MustCompile(`(?m)^version=(.+)$`).FindStringSubmatch(read("uplot/fetch"))
	if version == nil {
		t.Fatal("uplot/fetch does not set a version")
	}
	if !strings.Contains(read("uplot/uPlot.iife.min.js")[:100], "uPlot (v"+version[1]+")") {
		t.Errorf("uplot/uPlot.iife.min.js does not have version %s, which uplot/fetch sets", version[1])
	}
	third := read("../THIRD_PARTY")
	if !strings.Contains(third, "uPlot "+version[1]) ||
		!strings.Contains(third, strings.TrimSpace(read("uplot/LICENSE"))) {
		t.Error("THIRD_PARTY lacks uPlot with its version or its licence")
	}
	if !strings.Contains(third, strings.TrimSpace(read("fonts/LICENSE"))) {
		t.Error("THIRD_PARTY lacks the licence of the page's typeface")
	}
}

// TestNight checks the colours of figures on a dark page: white becomes the dark colour of the page, black becomes
// light, and dark hues become lighter.
func TestNight(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test makes a page of seven experiments")
	}
	text, err := examplePage()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"{fill:#FFFFFF}", "{fill:#15181C}", "{fill:#312CCB}"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("the page has no CSS rule %s", want)
		}
	}
	for _, rule := range regexp.MustCompile(`\[data-theme=dark\] \.d\d+\{.*\}`).FindAllString(string(text), -1) {
		if strings.Contains(rule, "#000000") || strings.Contains(rule, "#FFFFFF") || strings.Contains(rule, "#312CCB") {
			t.Errorf("CSS rule for a dark page = %s, want no white, black or dark blue", rule)
		}
	}
}
