// Package formats reads the user's own files: rows in LIBSVM format, sentences in columns (CoNLL, CoNLL-U) and
// bracketed trees (Penn Treebank).
//
// Files are plain, .gz, .bz2 or .Z, whatever their names say, and relative paths start from the folder of the spec. All
// formats take a file to validate on, or hold out a share of the training file, and files in other encodings than
// UTF-8. A fault in a file is a
// *datasets.SyntaxError, with the file, the line and the column.
package formats
