// Package lang is the language of experiments: strict YAML in, a plan of single runs out. It knows no algorithm: the
// names and parameters of data sets, models and solvers come from the caller's catalogue. It never reads a data set,
// runs a solver or compiles an expression.
//
//	file, err := lang.Parse("fig06.yaml", text, catalogue)   // every scale is checked here, errors carry file:line
//	s, err := file.At(lang.ScaleSmoke, []string{"stop.passes=5"}) // overlay of the scale, then --set
//	runs, err := s.Plan()                                    // one Run per combination, in a fixed order
//
// # Strictness
//
// Parse refuses unknown and duplicate keys, wrong types, values out of range, NaN and infinity, names that the
// catalogue does not have, anchors, aliases, merge keys and tags, and second documents. It reports the faults of a file
// together, sorted by line, as "file:line: key: what is wrong; accepted: what would be right". Rules between keys are
// checked in sections (top-level keys) without faults; choices come last, once the plan is known to be sound.
//
// # Grids
//
// Below dataset, model, regularisation and solvers, {grid: [a, b]} may replace any value, and a list of C (or lambda)
// is a grid as well. One run is planned per combination. A grid inside one solver multiplies that solver only. Each
// grid becomes a label of its runs, named by the last element of its path.
//
// # Scales
//
// The file itself is the paper scale. An entry of scales is merged over it like a JSON merge patch (RFC 7386): maps
// merge key by key, everything else replaces, null removes the key. Three things replace as a whole although they are
// maps: a grid, what a grid replaces, and a dataset with another name or format, whose parameters are not those of the
// old one. A file without scales has one scale, called own, that is used whatever scale is asked for.
package lang
