//go:build !amd64

package vec

func mulVecBlocks(dst, x []float64, step int, m []float64, n int) bool { return false }

func maxPlusBlocks(dst, x, m []float64, n int) bool { return false }

func mulRow(dst []float64, f float64, x, y []float64) (float64, bool) { return 0, false }

func addRowsBlocks(dst []float64, to []int32, src []float64, from []int32, a float64, value []float64, k int) bool {
	return false
}

func expBlocks(dst, x []float64, shift float64) int { return 0 }
