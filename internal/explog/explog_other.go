//go:build !amd64

package explog

func expBlocks(dst, x []float64, shift float64) int { return 0 }

func logBlocks(dst, x []float64) int { return 0 }
