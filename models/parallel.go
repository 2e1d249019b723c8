package models

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// InBlocks cuts the range 0..n into contiguous blocks and calls f once for each block, with its number and its range lo
// .. hi − 1. It uses workers goroutines, including the caller's. If a caller sums over each block separately and then
// adds the sums in order, the result does not depend on the number of workers. If f panics, InBlocks panics in the
// calling goroutine.
func InBlocks(n, blocks, workers int, f func(block, lo, hi int)) {
	inBlocks(n, blocks, workers, func(share func()) { share() }, f)
}

// inBlocks does what InBlocks does. Each additional goroutine passes its share of the work to the function by, which
// must call it.
func inBlocks(n, blocks, workers int, by func(share func()), f func(block, lo, hi int)) {
	if workers = min(workers, blocks); workers <= 1 {
		for b := range blocks {
			f(b, b*n/blocks, (b+1)*n/blocks)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var panicked atomic.Value // message of the first panic; InBlocks panics with it, so that the caller can recover
	share := func() {
		defer func() {
			if r := recover(); r != nil {
				panicked.CompareAndSwap(nil, fmt.Sprint(r))
			}
		}()
		for b := int(next.Add(1)) - 1; b < blocks; b = int(next.Add(1)) - 1 {
			f(b, b*n/blocks, (b+1)*n/blocks)
		}
	}
	for range workers - 1 {
		wg.Go(func() { by(share) })
	}
	share()
	wg.Wait()
	if r := panicked.Load(); r != nil {
		panic(r)
	}
}
