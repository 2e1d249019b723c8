package ci

import (
	"encoding/xml"
	"strings"
)

// These types are the elements of JUnit XML that Jenkins, GitLab, Azure and GitHub Actions all read.
type (
	testSuites struct {
		XMLName  xml.Name    `xml:"testsuites"`
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Suites   []testSuite `xml:"testsuite"`
	}
	testSuite struct {
		Name     string     `xml:"name,attr"`
		Tests    int        `xml:"tests,attr"`
		Failures int        `xml:"failures,attr"`
		Errors   int        `xml:"errors,attr"`
		Cases    []testCase `xml:"testcase"`
	}
	testCase struct {
		Class   string  `xml:"classname,attr"`
		Name    string  `xml:"name,attr"`
		File    string  `xml:"file,attr,omitempty"`
		Failure *reason `xml:"failure,omitempty"`
		Error   *reason `xml:"error,omitempty"`
	}
	reason struct {
		Message string `xml:"message,attr"`
		Type    string `xml:"type,attr"`
		Text    string `xml:",chardata"`
	}
)

// JUnit returns the outcome as JUnit XML: a suite for each experiment, a case for each curve. If an experiment could
// not be compared, the reason is a case with an error.
func JUnit(suites []Suite) string {
	all := testSuites{Name: "gaplab check"}
	for _, s := range suites {
		suite := testSuite{Name: s.Experiment}
		for _, c := range s.Curves {
			test := testCase{Class: s.Experiment, Name: c.Curve, File: s.File}
			if test.Name == "" {
				test.Name = "reference"
			}
			if !c.OK {
				test.Failure = &reason{Message: legal(c.Message), Type: "moved", Text: legal(c.Message)}
				suite.Failures++
			}
			suite.Cases = append(suite.Cases, test)
		}
		if s.Err != nil {
			text := legal(s.Err.Error())
			suite.Cases = append(suite.Cases, testCase{Class: s.Experiment, Name: "comparison", File: s.File,
				Error: &reason{Message: text, Type: "error", Text: text}})
			suite.Errors++
		}
		suite.Tests = len(suite.Cases)
		all.Tests, all.Failures, all.Errors = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Errors+suite.Errors
		all.Suites = append(all.Suites, suite)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic("ci: " + err.Error()) // impossible: the value holds only strings and numbers
	}
	return xml.Header + string(text) + "\n"
}

// legal removes characters that XML does not allow.
func legal(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}
