package generative

import (
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/models"
	"github.com/gaplab/gaplab/models/internal/vec"
)

// bayesNetwork is the network that all rows of a task share. θ has the tables of the class and of its children, one
// after the other, the table of the class first. The vectors of a table are ordered by the class, then by the values of
// the other parents p:
//
//	log p(x | c, p) = θ[table + (c·P + p)·values + x],   log p(c | p) = θ[p·values + c],
//
// where P is the number of combinations of values of p, and values is the number of values of the variable x or c. So
// for given x and p, the distance between the entries of two successive classes is step: P·values in the first formula,
// 1 in the second.
type bayesNetwork struct {
	classes, dim int
	nodes        []bayesNetNode
}

// bayesNetNode is a variable with its table.
type bayesNetNode struct {
	variable int   // column of the data; −1: the class
	parents  []int // columns of the parents other than the class
	stride   []int // for each of these parents: distance in θ between two successive values
	table    int   // index of the table in θ
	step     int   // distance in θ between two successive classes
}

// newBayesNetwork returns the network with these families of variables, and the vectors of its tables in θ. The family
// of the class must be the first.
func newBayesNetwork(variables []datasets.Variable, class int, families []family) (*bayesNetwork, tables) {
	k := len(variables[class].Values)
	net, t := &bayesNetwork{classes: k}, tables{start: []int{0}}
	pools := 0
	for _, f := range families {
		values := len(variables[f.variable].Values)
		node := bayesNetNode{variable: f.variable, table: net.dim, step: values, parents: f.parents,
			stride: make([]int, len(f.parents))}
		for i := len(f.parents) - 1; i >= 0; i-- {
			node.stride[i] = node.step
			node.step *= len(variables[f.parents[i]].Values)
		}
		blocks, vectors := k, node.step/values
		if f.variable == class {
			node.variable, blocks, node.step = -1, 1, 1
		}
		for b := range blocks {
			for range vectors {
				net.dim += values
				t.start, t.pool = append(t.start, net.dim), append(t.pool, pools+b)
			}
		}
		pools += blocks
		net.nodes = append(net.nodes, node)
	}
	return net, t
}

// variables returns the number of variables in the tables, including the class.
func (n *bayesNetwork) variables() int {
	seen := map[int]bool{}
	for i := range n.nodes {
		seen[n.nodes[i].variable] = true
		for _, p := range n.nodes[i].parents {
			seen[p] = true
		}
	}
	return len(seen)
}

// bayesNetFeatures is the feature map A_i of BayesNet for row i of the data: (A θ)_c = Σ_v log p(x_v | parents of v)
// for the class c. Each class has one entry of θ per table, and no two classes share an entry. A feature map takes 24
// bytes besides the row.
type bayesNetFeatures struct {
	net  *bayesNetwork
	data *datasets.Discrete
	row  int
}

var (
	_ models.SparseMap = (*bayesNetFeatures)(nil)
	_ models.Gram      = (*bayesNetFeatures)(nil)
)

// at returns the index in θ of the node's entry for the values of a row and class 0.
func (n *bayesNetNode) at(row []uint8) int {
	at := n.table
	if n.variable >= 0 {
		at += int(row[n.variable])
	}
	for i, p := range n.parents {
		at += int(row[p]) * n.stride[i]
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
	clear(theta)
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
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		at := n.at(row)
		for _, x := range mu {
			w[at] += c * x
			at += n.step
		}
	}
}

// NormSq returns |Aᵀv|², where A is the feature map. Each class has its own entries of θ, all with the coefficient 1.
func (f *bayesNetFeatures) NormSq(v []float64) float64 {
	f.checkParts(v)
	return float64(len(f.net.nodes)) * vec.NormSq(v)
}

func (f *bayesNetFeatures) Adjoint(dst *models.Sparse, mu []float64) {
	f.checkParts(mu)
	row := f.data.Row(f.row)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
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
	var sum float64
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		sum += w[n.at(row)+c*n.step]
	}
	return sum
}

func (f *bayesNetFeatures) Add(w []float64, c float64, y models.Vertex) {
	f.checkWeights(w)
	row, class := f.data.Row(f.row), y[0]
	for i := range f.net.nodes {
		n := &f.net.nodes[i]
		w[n.at(row)+class*n.step] += c
	}
}
