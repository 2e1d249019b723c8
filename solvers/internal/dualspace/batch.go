package dualspace

// Batches makes the visits of an online method in batches. It calls the oracles of a batch in parallel, all at the w at
// the start of the batch. Then it makes the steps one after the other. Each step moves w, so the directions of later
// steps are stale. Their lengths are not: a method computes each length for the present w, so that the dual does not
// decrease. A minibatch of Wang, Sadhanala, Dai, Neiswanger, Sra and Xing (2016, "Parallel and distributed
// block-coordinate Frank-Wolfe algorithms") has one common length for all its steps, which must be shorter the more
// features the examples share. Here a stale direction may have no step that improves the dual. That wastes one call.
//
// The number of goroutines does not change the results. A batch of one visit is the method without batches.
type Batches struct {
	Size     int
	InBlocks func(n, blocks int, f func(block, lo, hi int)) // runs the blocks in parallel, as models.Risk does

	examples []int
}

// Visitor is a method that visits examples in batches. The slot is the index of a visit in its batch. Each slot has its
// own working memory, because Prepare is called for several slots at the same time.
type Visitor interface {
	Prepare(slot, i int)     // computes the direction of the step on example i, and changes only the slot
	Step(slot, i, visit int) // makes the step; visit is the number of visits of the run so far, including this one
}

// Next makes the next batch. The batch has Size visits, or fewer: no example occurs twice in it, and the number of
// visits of the run does not exceed until.
func (b *Batches) Next(order *Order, until int, v Visitor) {
	if b.Size <= 1 {
		i := order.Next()
		v.Prepare(0, i)
		v.Step(0, i, order.Done)
		return
	}
	first := order.Done
	b.examples = order.Batch(b.examples[:0], min(b.Size, until-first))
	n := len(b.examples)
	b.InBlocks(n, n, func(slot, _, _ int) { v.Prepare(slot, b.examples[slot]) })
	for slot, i := range b.examples {
		v.Step(slot, i, first+slot+1)
	}
}
