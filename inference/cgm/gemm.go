package cgm

import (
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// gemmBlock is the width of the blocks into which gonum cuts the matrices of a product.
const gemmBlock = 64

// gemm computes C = A B or AᵀB for k × k matrices in the calling goroutine. gonum distributes products of four or more
// blocks over all processors, which would make comparisons with methods on one processor unfair. So gemm passes one
// block at a time to gonum. gemm cuts the matrices as gonum does, so the results have the same bits. (gonum's Cholesky
// factorisation, which BlockInterior also uses, runs in parallel for k > 320 only.)
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
