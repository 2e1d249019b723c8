// Package faults contains tests that cause faults (crashes, damaged files, extreme data) on purpose, and check how
// gaplab ends. docs/FAULTS.md lists the faults, the number of tries and the messages. Plain go test causes each fault a
// few times. This command causes each fault as often as the page states, and writes the page:
//
//	go test ./internal/faults -full -update
package faults
