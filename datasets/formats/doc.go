// Package formats reads the user's own files: rows in LIBSVM format, sentences in columns (CoNLL, CoNLL-U) and
// bracketed trees (Penn Treebank).
//
// Files are plain, .gz, .bz2 or .Z; their content decides, not their names. Relative paths start from the folder of the
// spec. With all formats, the validation data are a second file or a share of the training file that is held out. Files
// may have other encodings than UTF-8. A fault in a file is reported as a *datasets.SyntaxError with the file, the line
// and the column.
package formats
