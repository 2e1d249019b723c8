// Package page renders pages in Markdown from templates. The numbers, tables and verdicts of a page are expressions
// over results; nobody types them. The package runs no solver and reads no file: the Source of a page finds the
// results.
//
//	text, err := page.Render("README.md.tmpl", template, source)
//
// # The language
//
// A page is a template of the library text/template, which replaces what is in {{ }}. An expression (see package expr)
// is in backquotes and may span several lines:
//
//	{{scale "paper" -}}
//	{{on "eg/fig06" -}}
//	EG needs {{value "%.1f" `T(curve({C: 10}), "gap_percent", 0.1)`}} passes, less than with C = 1
//	{{- holds `T(curve({C: 10}), "gap_percent", 0.1) < T(curve({C: 1}), "gap_percent", 0.1)`}}.
//
//	scale NAME                 sets the scale of the results; default: the smallest of an experiment
//	on ID                      selects the experiment of the following functions
//	value FORMAT EXPRESSION    prints a value; of a list, "%.2f ± %.2f" prints two elements at a time, with ", " between
//	cells FORMAT EXPRESSION    does the same with " | " between: cells of a row of a table
//	measured FORMAT CLAIM I... prints the value of a claim's expression measure, or only its elements I, counted from 0
//	holds EXPRESSION           prints nothing; it is an error if the expression is not true
//	table COLUMN...            prints the experiment's table in Markdown, with all columns or only those listed
//	claims NAME...             returns the verdicts of papers or experiments: {{len (claims "eg").Reproduced}}, or
//	                           .NotReproduced, .Tie, .NotTestable or .NotMeasured; .IDs lists them
//	claim ID                   returns the verdict of one claim, such as "eg/fig06/c1": .Verdict, .Measured, .Why
//	reproduced ID              prints the id of a claim; it is an error if the claim has another verdict.
//	                           notReproduced ID, tie ID, notTestable ID and notMeasured ID do so for the other verdicts
//	runs WHERE...              returns totals of the runs, or of those that satisfy conditions on labels: .Count,
//	                           .Seconds, .Minutes, .CPU, .Load, .N, .Dim, .Workers, .Alone, .Commits
//	number FORMAT X...         prints other numbers, such as {{number "%d" (runs).Dim}}
//	list X...                  returns a list, for {{range list "eg" "sgd"}}
//	papers                     returns the papers that have experiments: .Key, .Title, .Citation
//
// Where value, cells and measured print CPU time, they print wall-clock time if the runs have no CPU time. A format is
// a format of package fmt. Numbers are printed with a minus sign (not a hyphen), commas between thousands and short
// exponents; %v prints four significant digits; infinity, which means that a target is never reached, is printed as
// "never". At the end, paragraphs are wrapped to 120 columns, so a page may break its lines anywhere.
package page
