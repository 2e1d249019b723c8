//go:build !amd64

package blockrow

func scoreBlocks(theta []float64, index []int32, value []float64, w []float64) int { return 0 }

func addBlocks(w []float64, a float64, index []int32, value []float64, mu []float64) int { return 0 }
