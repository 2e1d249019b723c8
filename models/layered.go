package models

// ZeroOneLoss is the 0/1 loss of a prediction, for Metric.Of: the share of examples that are not predicted exactly.
func ZeroOneLoss(prediction Vertex, e *Example) (num, den float64) {
	if prediction.Equal(e.Truth) {
		return 0, 1
	}
	return 1, 1
}

// Layered is an optional interface of a FeatureMap: implemented by a model on top of another one, which has that one's
// map as well.
type Layered interface {
	FeatureMap
	Base() FeatureMap
}

// BaseFeatures is the map of the lowest model.
func BaseFeatures(f FeatureMap) FeatureMap {
	for {
		top, ok := f.(Layered)
		if !ok {
			return f
		}
		f = top.Base()
	}
}
