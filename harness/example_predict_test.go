package harness_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/gaplab/gaplab/harness"
)

const taggerSpec = `apiVersion: gaplab/v1
id: example/tagger
dataset: {format: conll, path: train, columns: word pos}
model: {name: chain, loss: log, features: "word[0] suffix2[0]"}
regularisation: {convention: eg, C: [1]}
solvers: [{name: eg}]
stop: {passes: 20}
`

// ExampleLoad trains a tagger and labels another text with its weights.
func ExampleLoad() {
	dir, err := os.MkdirTemp("", "tagger")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"train": "the DT\ndog NN\nruns VB\n\na DT\ncat NN\nsleeps VB\n",
		"tagger.yaml": taggerSpec} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			log.Fatal(err)
		}
	}
	experiment, err := harness.Find(filepath.Join(dir, "tagger.yaml"))
	if err != nil {
		log.Fatal(err)
	}
	spec, err := experiment.At("", nil)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	result, err := harness.Run(ctx, spec, harness.Options{Root: dir, SaveWeights: true})
	if err != nil {
		log.Fatal(err)
	}
	run := result.Files[0]
	tagger, err := harness.Load(filepath.Join(filepath.Dir(run.Path), run.End.Weights))
	if err != nil {
		log.Fatal(err)
	}
	text := strings.NewReader("the\ncat\nbarks\n")
	made, err := tagger.Predict(ctx, text, os.Stdout, harness.PredictOptions{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(made.Examples, made.Kind)
	// Output:
	// the DT
	// cat NN
	// barks VB
	//
	// 1 sentences
}
