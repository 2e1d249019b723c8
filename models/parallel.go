package models

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// InBlocks cuts 0..n into contiguous blocks and calls f once for each. It uses this many goroutines, including the
// caller's. Sums that are kept by block and added in order do not depend on the number of workers. A panic of f is
// raised again in the caller.
func InBlocks(n, blocks, workers int, f func(block, lo, hi int)) {
	inBlocks(n, blocks, workers, func(share func()) { share() }, f)
}

// inBlocks does what InBlocks does. Each additional goroutine passes its share of the blocks to by, which must run it.
func inBlocks(n, blocks, workers int, by func(share func()), f func(block, lo, hi int)) {
	if workers = min(workers, blocks); workers <= 1 {
		for b := range blocks {
			f(b, b*n/blocks, (b+1)*n/blocks)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	var panicked atomic.Value // of a worker: raised again in the caller, who can recover
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
