package generative

import (
	"math"
	"slices"

	"github.com/gaplab/gaplab/datasets"
)

// family is a variable with its parents other than the class, given by their columns in the data.
type family struct {
	variable int
	parents  []int
}

// children returns the families of the class, which has no parents, and of the chosen variables, which all have the
// class as a parent. The other parent of chosen[i] is chosen[parent[i]]; there is none if parent[i] is −1 or parent is
// nil.
func children(d *datasets.Discrete, chosen, parent []int) []family {
	out := []family{{variable: d.Class}}
	for i, v := range chosen {
		f := family{variable: v}
		if parent != nil && parent[i] >= 0 {
			f.parents = []int{chosen[parent[i]]}
		}
		out = append(out, f)
	}
	return out
}

// informative returns the n variables with the largest mutual information with the class, in the order of the data.
// Among ties it chooses the earlier variable.
func informative(d *datasets.Discrete, n int) []int {
	information := make([]float64, len(d.Variables))
	var list []int
	for v := range d.Variables {
		if v != d.Class {
			information[v] = mutualInformation(d, v, d.Class, -1)
			list = append(list, v)
		}
	}
	slices.SortStableFunc(list, func(a, b int) int {
		switch {
		case information[a] > information[b]:
			return -1
		case information[a] < information[b]:
			return 1
		}
		return 0
	})
	list = list[:n]
	slices.Sort(list)
	return list
}

// mutualInformation returns the mutual information of two variables given a third one, in nats, under the relative
// frequencies of the rows. The argument given is the third variable. If it is −1, the information is not conditional:
//
//	I(U; V | Z) = Σ_uvz p(u, v, z) log p(u, v, z) p(z) / (p(u, z) p(v, z)).
//
// Cost: one pass over the rows.
func mutualInformation(d *datasets.Discrete, u, v, given int) float64 {
	nu, nv, nz := len(d.Variables[u].Values), len(d.Variables[v].Values), 1
	if given >= 0 {
		nz = len(d.Variables[given].Values)
	}
	count := make([]int, nz*nu*nv)
	for i := range d.Len() {
		row, z := d.Row(i), 0
		if given >= 0 {
			z = int(row[given])
		}
		count[(z*nu+int(row[u]))*nv+int(row[v])]++
	}
	var information float64
	ofU, ofV := make([]int, nu), make([]int, nv)
	for ; len(count) > 0; count = count[nu*nv:] {
		clear(ofU)
		clear(ofV)
		all := 0
		for i, n := range count[:nu*nv] {
			ofU[i/nv] += n
			ofV[i%nv] += n
			all += n
		}
		for i, n := range count[:nu*nv] {
			if n > 0 {
				information += float64(n) * math.Log(float64(n)*float64(all)/(float64(ofU[i/nv])*float64(ofV[i%nv])))
			}
		}
	}
	return information / float64(d.Len())
}

// augmentingTree returns the tree over the chosen variables that maximises the likelihood if the class is a parent of
// all of them (Friedman, Geiger and Goldszmidt 1997, section 4). It is the spanning tree of maximum weight, where the
// weight of an edge is the mutual information of its two variables given the class. The root is the first variable. The
// result has the parent of each variable as an index in chosen, and −1 for the root.
//
// Cost: one pass over the rows for each of n²/2 pairs, plus n² operations of Prim's algorithm.
func augmentingTree(d *datasets.Discrete, chosen []int) []int {
	return spanningTree(len(chosen), func(i, j int) float64 {
		return mutualInformation(d, chosen[i], chosen[j], d.Class)
	})
}

// neighbours returns the neighbours of the class in the tree over the class and the chosen variables that maximises the
// likelihood (Chow and Liu 1968), the spanning tree of maximum mutual information. If the tree is directed away from
// the class, the neighbours are the children of the class and have no other parents.
func neighbours(d *datasets.Discrete, chosen []int) []int {
	all := append([]int{d.Class}, chosen...)
	parent := spanningTree(len(all), func(i, j int) float64 { return mutualInformation(d, all[i], all[j], -1) })
	var out []int
	for i, v := range all {
		if parent[i] == 0 {
			out = append(out, v)
		}
	}
	return out
}

// spanningTree returns the spanning tree of maximum weight over n nodes, by Prim's algorithm. The result has the parent
// of each node. Node 0 is the root and has the parent −1. weightOf is called once for each pair i > j.
func spanningTree(n int, weightOf func(i, j int) float64) []int {
	weight := make([]float64, n*n)
	for i := range n {
		for j := range i {
			weight[i*n+j] = weightOf(i, j)
			weight[j*n+i] = weight[i*n+j]
		}
	}
	parent, inside := make([]int, n), make([]bool, n)
	parent[0], inside[0] = -1, true
	for range n - 1 {
		next := -1
		for i := range n { // parent[i] is the best neighbour of i inside the tree so far
			if !inside[i] && (next < 0 || weight[i*n+parent[i]] > weight[next*n+parent[next]]) {
				next = i
			}
		}
		inside[next] = true
		for i := range n {
			if !inside[i] && weight[i*n+next] > weight[i*n+parent[i]] {
				parent[i] = next
			}
		}
	}
	return parent
}
