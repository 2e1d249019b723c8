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

var full = flag.Bool("full", false, "make the page of all experiments at full size: 20 seconds")

// most is the largest size of the page of all experiments, in bytes: mail accepts it, and a browser opens it at once.
const most = 15 << 20

// TestSizeOfAll checks the size of the page of all experiments at full size, from the committed results.
func TestSizeOfAll(t *testing.T) {
	if !*full {
		t.Skip("it judges all claims and draws all figures: run go test ./report -run TestSizeOfAll -args -full")
	}
	text, err := page("paper", experiments.IDs()...)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", len(text))
	if len(text) > most {
		t.Errorf("%d bytes; want at most %d", len(text), most)
	}
	if n := bytes.Count(text, []byte("<article ")); n != len(experiments.IDs()) {
		t.Errorf("%d experiments; want %d", n, len(experiments.IDs()))
	}
}

// TestThirdParty checks that the page carries the files that the script fetches, and that their licence is in
// THIRD_PARTY.
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
		t.Fatal("uplot/fetch has no version")
	}
	if !strings.Contains(read("uplot/uPlot.iife.min.js")[:100], "uPlot (v"+version[1]+")") {
		t.Errorf("uplot/uPlot.iife.min.js is not of version %s", version[1])
	}
	third := read("../THIRD_PARTY")
	if !strings.Contains(third, "uPlot "+version[1]) ||
		!strings.Contains(third, strings.TrimSpace(read("uplot/LICENSE"))) {
		t.Error("THIRD_PARTY does not have uPlot, its version and its licence")
	}
}

// TestNight checks the colours of a dark page: white becomes the page, black becomes light, and no hue is too dark.
func TestNight(t *testing.T) {
	text, err := examplePage()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"{fill:#FFFFFF}", "{fill:#15181C}", "{fill:#312CCB}"} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no rule %s", want)
		}
	}
	for _, rule := range regexp.MustCompile(`\[data-theme=dark\] \.d\d+\{.*\}`).FindAllString(string(text), -1) {
		if strings.Contains(rule, "#000000") || strings.Contains(rule, "#FFFFFF") || strings.Contains(rule, "#312CCB") {
			t.Errorf("on a dark page: %s", rule)
		}
	}
}
