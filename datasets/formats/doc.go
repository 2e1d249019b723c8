// Package formats reads the user's own files: rows in LIBSVM format, tables in CSV, sentences in columns (CoNLL,
// CoNLL-U) and bracketed trees (Penn Treebank).
//
// Files are plain, .gz, .bz2 or .Z. The loaders recognise the compression format by the content, not by the name.
// Relative paths start from the folder of the spec. In all formats, the validation data are a second file or a random
// fraction of the training file. Files may have other encodings than UTF-8. A fault in a file is reported as a
// *datasets.SyntaxError with the file, the line and the column.
package formats
