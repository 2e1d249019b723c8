package dualspace

// Batches makes the visits of an online method in batches. It calls the oracles of a batch in parallel, all at the w at
// the start of the batch. Then it makes the steps one after the other. Each step changes w, so the directions of later
// steps in the batch are stale: they were computed at an older w. But the length of each step is computed for the
// present w, so the dual does not decrease. If no step in a stale direction increases the dual, the call of the oracle
// was wasted.
//
// Wang, Sadhanala, Dai, Neiswanger, Sra and Xing (2016, "Parallel and distributed block-coordinate Frank-Wolfe
// algorithms") use one common length for all steps of a minibatch instead. The more features the examples share, the
// shorter this common length must be.
//
// The number of goroutines does not change the results. With batches of one visit, the online method is the same as
// without batches.
type Batches struct {
	Size     int                                            // largest number of visits of a batch
	InBlocks func(n, blocks int, f func(block, lo, hi int)) // runs the blocks in parallel, as models.Risk does

	examples []int
}

// Visitor is an online method that visits examples in batches. The slot is the index of a visit in its batch. Each slot
// has separate working memory, because Prepare is called for several slots at the same time.
type Visitor interface {
	Prepare(slot, i int)     // computes the direction of the step on example i; writes only to the slot's memory
	Step(slot, i, visit int) // makes the step; visit is the number of visits of the run so far, including this one
}

// Next makes the next batch. The batch has Size visits, or fewer, because no example may occur twice in a batch, and
// because the number of visits of the run may not exceed until.
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
