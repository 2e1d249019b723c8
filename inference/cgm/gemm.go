package cgm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// gemmBlock is the width of the blocks in which gonum multiplies.
const gemmBlock = 64

// gemm computes C = A B or AᵀB of k × k matrices, on the goroutine that calls it. gonum distributes products of four
// blocks or more over all processors. That would be unfair where times are compared with those of methods on one
// processor. So gemm passes it one block at a time, cut as gonum itself would cut them: the bits are the same. Its
// Cholesky factorisation runs in parallel for k > 320 only.
func gemm(trans blas.Transpose, a, b, c blas64.General) {
	k := c.Rows
	for i := 0; i < k; i += gemmBlock {
		for j := 0; j < k; j += gemmBlock {
			beta := 0.0
			for r := 0; r < k; r += gemmBlock {
				left := block(a, i, r)
				if trans == blas.Trans {
					left = block(a, r, i)
				}
				blas64.Gemm(trans, blas.NoTrans, 1, left, block(b, r, j), beta, block(c, i, j))
				beta = 1
			}
		}
	}
}

// block returns the block of a matrix that begins at row i and column j.
func block(m blas64.General, i, j int) blas64.General {
	rows, cols := min(gemmBlock, m.Rows-i), min(gemmBlock, m.Cols-j)
	return blas64.General{Rows: rows, Cols: cols, Stride: m.Stride,
		Data: m.Data[i*m.Stride+j : (i+rows-1)*m.Stride+j+cols]}
}
