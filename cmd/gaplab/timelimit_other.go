//go:build !unix

package main

import "context"

// untilTimeLimit returns the context itself: this system has no signal by which a queue announces the end of a job's
// time.
func untilTimeLimit(parent context.Context) (ctx context.Context, stop func()) {
	return parent, func() {}
}
