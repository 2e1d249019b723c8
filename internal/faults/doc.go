// Package faults has the tests behind docs/FAULTS.md: what goes wrong on purpose, how often it was tried, and what is
// said. go test makes each fault a few times; to make all and write the page:
//
//	go test ./internal/faults -full -update
package faults
