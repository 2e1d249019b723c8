// Package faults contains tests that cause faults on purpose and check how gaplab ends. docs/FAULTS.md lists the
// faults, the number of tries and the messages. Plain go test causes each fault a few times. To cause each fault as
// often as the page states, and to write the page:
//
//	go test ./internal/faults -full -update
package faults
