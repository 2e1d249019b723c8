// Package page renders texts over results: a page in Markdown whose numbers, tables and verdicts are expressions, so
// that none is typed by hand. It runs no solver and reads no file: a Source finds results.
//
//	text, err := page.Render("README.md.tmpl", template, source)
//
// # The language
//
// A page is a template of the library text/template; what stands in {{ }} is replaced. An expression (see package expr)
// stands between backquotes, and may go over several lines:
//
//	{{scale "paper" -}}
//	{{on "eg/fig06" -}}
//	EG needs {{value "%.1f" `T(curve({C: 10}), "gap_percent", 0.1)`}} passes, less than with C = 1
//	{{- holds `T(curve({C: 10}), "gap_percent", 0.1) < T(curve({C: 1}), "gap_percent", 0.1)`}}.
//
//	scale NAME                 the scale of the results that follow; without it the smallest of an experiment
//	on ID                      the experiment that what follows is about, until the next
//	value FORMAT EXPRESSION    its value; of a list, "%.2f ± %.2f" takes two elements at a time, and ", " separates
//	cells FORMAT EXPRESSION    the same with " | " between: cells of a row of a table
//	measured FORMAT CLAIM I... what one of the experiment's claims measures, or its elements I, from 0; in value, cells
//	                           and measured, CPU time is that of the wall clock if the runs have no other
//	holds EXPRESSION           nothing; if the expression is not true, the page is not rendered
//	table COLUMN...            the experiment's table in Markdown, with these of its columns, or with all
//	claims NAME...             the verdicts of papers or experiments: {{len (claims "eg").Reproduced}}, or
//	                           .NotReproduced, .NotTestable or .NotMeasured; .IDs lists them
//	claim ID                   the verdict of one claim, such as "eg/fig06/c1": .Verdict, .Measured, .Why
//	reproduced ID              the id of a claim; if that is not its verdict, the page is not rendered. So are
//	                           notReproduced ID, notTestable ID and notMeasured ID
//	runs WHERE...              facts of the runs, or of those that a condition on labels names: .Count, .Seconds,
//	                           .Minutes, .CPU, .Load, .N, .Dim, .Workers, .Alone, .Commits
//	number FORMAT X...         other numbers, such as {{number "%d" (runs).Dim}}
//	list X...                  a list, for {{range list "eg" "sgd"}}
//	papers                     the papers that have experiments: .Key, .Title, .Citation
//
// A format is fmt's. Numbers are printed with a true minus sign, commas from 1,000 on and short exponents; %v has four
// significant digits; what is never reached is "never". Paragraphs are filled to 120 columns at the end, so a page may
// break its lines anywhere.
package page
