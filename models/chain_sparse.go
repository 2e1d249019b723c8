package models

// The methods of SparseMap of a chain, which touch the features of one labelling.

func (f *chainFeatures) Adjoint(dst *Sparse, mu []float64) {
	f.checkParts(mu)
	s := f.pool.Get()
	defer f.pool.Put(s)
	dst.Index, dst.Value = dst.Index[:0], dst.Value[:0]
	for i := 0; i < len(f.feature); {
		end := f.end(i)
		dst.append(int(f.feature[i])*f.k, f.block(s, mu, i, end))
		i = end
	}
	dst.append(f.features*f.k, f.edges(s, mu))
}

// append adds the non-zeros of a row that begins at the given index.
func (s *Sparse) append(at int, row []float64) {
	for i, v := range row {
		if v != 0 {
			s.Index, s.Value = append(s.Index, int32(at+i)), append(s.Value, v)
		}
	}
}

func (f *chainFeatures) Dot(w []float64, y Vertex) float64 {
	f.checkWeights(w)
	f.checkLabelling(y)
	var sum float64
	for i, j := range f.feature {
		t := int(f.position[i])
		v := w[int(j)*f.k+y[t]-t*f.k]
		if f.value != nil {
			v *= f.value[i]
		}
		sum += v
	}
	for _, r := range y[f.l:] {
		sum += w[f.edge(r)]
	}
	return sum
}

func (f *chainFeatures) Add(w []float64, c float64, y Vertex) {
	f.checkWeights(w)
	f.checkLabelling(y)
	for i, j := range f.feature {
		t, v := int(f.position[i]), c
		if f.value != nil {
			v *= f.value[i]
		}
		w[int(j)*f.k+y[t]-t*f.k] += v
	}
	for _, r := range y[f.l:] {
		w[f.edge(r)] += c
	}
}

// edge is the weight of a transition's part.
func (f *chainFeatures) edge(part int) int {
	return f.features*f.k + (part-f.l*f.k)%(f.k*f.k)
}

func (f *chainFeatures) checkLabelling(y Vertex) {
	if len(y) != 2*f.l-1 {
		panic("models: len(y) != 2l − 1 parts of a labelling")
	}
}
