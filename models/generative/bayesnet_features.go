package generative

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// bayesNetwork is what the rows of a task share. θ holds the vector of the class, θ[c] = log p(c), then the table of
// each other variable, whose vectors are ordered by the class, then by the value of the other parent:
//
//	log p(x | c, p) = θ[table + (c·parents + p)·values + x],
//
// so that for given x and p the classes are `step` = parents·values apart.
type bayesNetwork struct {
	classes, dim int
	nodes        []bayesNetNode
}

// bayesNetNode is a variable other than the class.
type bayesNetNode struct {
	variable, parent int // columns of the data; parent is −1 if there is none but the class
	table            int
	values, step     int
}

// newBayesNetwork has the chosen variables of the data, variable i with the other parent chosen[parent[i]] unless
// parent[i] is −1. It also returns where vectors begin, and finally the length of θ.
func newBayesNetwork(d *datasets.Discrete, chosen, parent []int) (*bayesNetwork, []int) {
	k := len(d.Variables[d.Class].Values)
	net := &bayesNetwork{classes: k, dim: k}
	start := []int{0, k}
	for i, v := range chosen {
		values := len(d.Variables[v].Values)
		node := bayesNetNode{variable: v, parent: -1, table: net.dim, values: values, step: values}
		if parent[i] >= 0 {
			node.parent = chosen[parent[i]]
			node.step *= len(d.Variables[node.parent].Values)
		}
		for range k * node.step / values {
			net.dim += values
			start = append(start, net.dim)
		}
		net.nodes = append(net.nodes, node)
	}
	return net, start
}

// bayesNetFeatures is A_i of BayesNet for row i of the data: (A θ)_c = log P(c, x), of 1 + Nodes − 1 entries of θ each,
// which no two classes share. It takes 24 bytes besides the row.
type bayesNetFeatures struct {
	net  *bayesNetwork
	data *datasets.Discrete
	row  int
}

var (
	_ models.SparseMap = (*bayesNetFeatures)(nil)
	_ models.Gram      = (*bayesNetFeatures)(nil)
)

// at is the place in θ of what the node contributes to the first class.
func (n *bayesNetNode) at(row []uint8) int {
	at := n.table + int(row[n.variable])
	if n.parent >= 0 {
		at += int(row[n.parent]) * n.values
	}
	return at
}

func (f *bayesNetFeatures) Parts() int { return f.net.classes }

func (f *bayesNetFeatures) checkParts(parts []float64) {
	if len(parts) != f.net.classes {
		panic("generative: len(theta) != Parts()")
	}
}

func (f *bayesNetFeatures) checkWeights(w []float64) {
	if len(w) != f.net.dim {
		panic("generative: len(w) != Dim")
	}
}

func (f *bayesNetFeatures) Score(theta, w []float64) {
	f.checkParts(theta)
	f.checkWeights(w)
	row := f.data.Row(f.row)
	copy(theta, w)
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		at := n.at(row)
		for c := range theta {
			theta[c] += w[at]
			at += n.step
		}
	}
}

func (f *bayesNetFeatures) AddAdjoint(w []float64, c float64, mu []float64) {
	f.checkParts(mu)
	f.checkWeights(w)
	row := f.data.Row(f.row)
	for y, x := range mu {
		w[y] += c * x
	}
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		at := n.at(row)
		for _, x := range mu {
			w[at] += c * x
			at += n.step
		}
	}
}

// NormSq: each class has its own entries, all with the value 1.
func (f *bayesNetFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	return float64(1+len(f.net.nodes)) * vec.NormSq(v)
}

func (f *bayesNetFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	row := f.data.Row(f.row)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	dst.AppendRow(0, mu)
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		at := n.at(row)
		for _, x := range mu {
			if x != 0 {
				dst.Index, dst.Value = append(dst.Index, int32(at)), append(dst.Value, x)
			}
			at += n.step
		}
	}
}

func (f *bayesNetFeatures) Dot(w []float64, y models.Vertex) float64 {
	f.checkWeights(w)
	row, c := f.data.Row(f.row), y[0]
	sum := w[c]
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		sum += w[n.at(row)+c*n.step]
	}
	return sum
}

func (f *bayesNetFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	row, class := f.data.Row(f.row), y[0]
	w[class] += c
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		w[n.at(row)+class*n.step] += c
	}
}
