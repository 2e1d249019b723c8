// Package real has the published data sets: where their files are available and under which terms, how they are split,
// and how they are read.
//
// Each entry lists its files with the SHA-256 of their decompressed content. Every file that is read is checked against
// this checksum.
package real
