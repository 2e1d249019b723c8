// Package lang is the language of experiments: it reads strict YAML and plans runs. It contains no name of an
// algorithm: the names and settings of data sets, models and solvers come from the caller's catalogue. It reads no data
// set, runs no solver and compiles no expression.
//
//	file, err := lang.Parse("fig06.yaml", text, catalogue)        // checks every scale; errors have file:line
//	s, err := file.At(lang.ScaleSmoke, []string{"stop.passes=5"}) // applies the overlay of the scale, then --set
//	runs, err := s.Plan()                                         // one Run per combination, in a fixed order
//
// # Strictness
//
// Parse refuses unknown and duplicate keys, wrong types, values out of range, NaN and infinity, names that are not in
// the catalogue, anchors, aliases, merge keys, tags, and second documents. It reports all faults of a file together,
// sorted by line, as "file:line: key: what is wrong; accepted: the accepted values"; some messages end in advice
// instead of accepted values. Rules between several keys are checked only in sections (top-level keys) without other
// faults. The section choose is checked only if the file has no other fault.
//
// # Grids
//
// Below dataset, model and solvers, {grid: [a, b]} may replace any value; in regularisation, a list of C (or lambda) is
// a grid too. The plan has one run per combination; a grid inside one solver multiplies the runs of that solver only.
// Each grid becomes a label of its runs, named by the last element of its path.
//
// # Scales
//
// The file itself is the paper scale. An entry of the key "scales" is overlaid on it as a JSON merge patch (RFC 7386):
// maps merge key by key, other values replace, null removes the key. Three kinds of maps are replaced as a whole: a
// grid, a value that a grid replaces, and a dataset with another name or format, since the settings of the old data set
// do not apply to the new one. A file without the key "scales" has one scale, named own; the names smoke, quick and
// paper then mean own.
package lang
