package lang_test

import (
	"fmt"

	"github.com/gaplab/gaplab/harness/lang"
)

// descent contains the settings of a solver; the tags state which values a spec may give.
type descent struct {
	// step size
	Rate float64 `yaml:"rate" jsonschema:"exclusiveMinimum=0"`
}

func Example() {
	catalogue := lang.Catalogue{
		Datasets: []lang.Entry{{Name: "points", New: func() any { return new(struct{}) }}},
		Models:   []lang.Entry{{Name: "binary", Losses: []string{"log", "hinge"}, New: func() any { return new(struct{}) }}},
		Solvers:  []lang.Entry{{Name: "descent", New: func() any { return &descent{Rate: 0.1} }}},
	}
	file, err := lang.Parse("rates.yaml", []byte(`
apiVersion: gaplab/v1
id: my/rates
dataset: {name: points}
model: {name: binary, loss: log}
regularisation: {convention: lambda, lambda: 0.01}
solvers: [{name: descent, rate: {grid: [1, 0.1]}}]
stop: {passes: 100}
`), catalogue)
	if err != nil {
		fmt.Println(err)
		return
	}
	experiment, err := file.At(lang.ScaleSmoke, []string{"stop.passes=5"})
	if err != nil {
		fmt.Println(err)
		return
	}
	runs, err := experiment.Plan()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range runs {
		fmt.Println(r.Labels["as"], r.Labels["rate"], r.Stop.Passes)
	}
	_, err = file.At(lang.ScaleSmoke, []string{"solvers.descent.rate=-1"})
	fmt.Println(err)
	// Output:
	// descent 1 5
	// descent 0.1 5
	// --set solvers.descent.rate=-1: solvers.0.rate: -1 is out of range; accepted: a number > 0
}
