package main

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	executed := func(name string) string {
		return filepath.Join("..", "..", "notebooks", "ipynb", "testdata", name+".ipynb")
	}
	for _, tt := range []struct {
		name     string
		args     []string
		code     int
		out, err string // substrings; empty: nothing is printed
	}{
		{"well", []string{executed("ok")}, exitFine, "3 cells executed, 1 figures", ""},
		{"panic", []string{executed("panic")}, exitProblem, "cell 4 (var m map[string]int): wrote to standard error", ""},
		{"all are read", []string{executed("panic"), executed("ok")}, exitProblem, "1 figures", ""},
		{"not stripped", []string{"-stripped", executed("ok")}, exitProblem, "cell 2: holds outputs; clear them", ""},
		{"absent", []string{"nowhere.ipynb"}, exitUsage, "", "nowhere.ipynb"},
		{"not a notebook", []string{"main.go"}, exitUsage, "", "main.go: not a notebook"},
		{"absent beats problem", []string{"nowhere.ipynb", executed("panic")}, exitUsage, "panic", "nowhere.ipynb"},
		{"nothing to do", nil, exitUsage, "", "no notebook given"},
		{"unknown flag", []string{"-x"}, exitUsage, "", "usage: nbcheck"},
		{"help", []string{"-h"}, exitFine, "", "usage: nbcheck"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var out, err strings.Builder
			if code := run(tt.args, &out, &err); code != tt.code {
				t.Errorf("exit %d, want %d", code, tt.code)
			}
			for _, s := range []struct{ stream, got, want string }{{"stdout", out.String(), tt.out},
				{"stderr", err.String(), tt.err}} {
				if !strings.Contains(s.got, s.want) || s.want == "" && s.got != "" {
					t.Errorf("%s is %q, want %q", s.stream, s.got, s.want)
				}
			}
		})
	}
}
