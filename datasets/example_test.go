package datasets_test

import (
	"context"
	"fmt"
	"log"

	"github.com/gaplab/gaplab/catalogue"
	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/generated"
)

func Example() {
	entry, err := datasets.Find(catalogue.DataSets(), "digits")
	if err != nil {
		log.Fatal(err)
	}
	loader := entry.New().(*generated.Digits) // a spec sets its fields by the keys below `dataset:`
	loader.Train = 100
	set, err := loader.Load(context.Background(), datasets.Source{})
	if err != nil {
		log.Fatal(err)
	}
	train := set.Train.(*datasets.Labelled)
	fmt.Println(train.Len(), "images of", train.X.Dim, "pixels,", len(train.Classes), "classes; synthetic:", set.Synthetic)
	// Output: 100 images of 784 pixels, 10 classes; synthetic: true
}
