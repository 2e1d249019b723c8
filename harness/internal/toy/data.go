package toy

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/gaplab/gaplab/datasets"
)

const features, classes = 6, 3

// Points is a generated data set of unit vectors in three overlapping classes. The points of a class are around its
// centre.
type Points struct {
	Train      int    `yaml:"train" jsonschema:"minimum=1"`
	Validation int    `yaml:"validation" jsonschema:"minimum=0"`
	Seed       uint64 `yaml:"seed"`
}

// Load implements datasets.Loader.
func (p *Points) Load(context.Context, datasets.Source) (*datasets.Set, error) {
	set := &datasets.Set{Name: "points", Synthetic: true, Train: draw(rand.New(rand.NewPCG(p.Seed, 17)), p.Train),
		Checksum: datasets.Checksum("points", fmt.Sprint(*p))}
	if p.Validation > 0 {
		set.Validation = draw(rand.New(rand.NewPCG(p.Seed, 18)), p.Validation)
	}
	return set, nil
}

// draw generates n points.
func draw(r *rand.Rand, n int) *datasets.Labelled {
	x, y := make([][]float64, n), make([]int, n)
	for i := range x {
		x[i], y[i] = make([]float64, features), r.IntN(classes)
		var norm float64
		for j := range x[i] {
			x[i][j] = r.NormFloat64()
			if j == y[i] {
				x[i][j] += 1.5
			}
			norm += x[i][j] * x[i][j]
		}
		for j := range x[i] {
			x[i][j] /= math.Sqrt(norm)
		}
	}
	return labelled(x, y, []string{"a", "b", "c"})
}

// labelled returns a data set with the rows x, their classes y and the names of the classes.
func labelled(x [][]float64, y []int, names []string) *datasets.Labelled {
	return &datasets.Labelled{X: datasets.Rows{N: len(x), Dim: len(x[0]), Value: slices.Concat(x...)}, Y: y,
		Classes: names}
}

// File is a format of users' files. Each line is a class followed by numbers, separated by commas.
type File struct {
	Path string `yaml:"path" jsonschema:"required,minLength=1"`
}

// Load implements datasets.Loader.
func (f *File) Load(context.Context, datasets.Source) (*datasets.Set, error) {
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, err
	}
	records, err := csv.NewReader(strings.NewReader(string(text))).ReadAll()
	if err != nil {
		return nil, err
	}
	var x [][]float64
	var y []int
	var names []string
	for _, r := range records {
		if !slices.Contains(names, r[0]) {
			names = append(names, r[0])
		}
		row := make([]float64, len(r)-1)
		for j := range row {
			if row[j], err = strconv.ParseFloat(r[j+1], 64); err != nil {
				return nil, err
			}
		}
		x, y = append(x, row), append(y, slices.Index(names, r[0]))
	}
	return &datasets.Set{Name: filepath.Base(f.Path), Train: labelled(x, y, names),
		Checksum: datasets.Checksum(string(text))}, nil
}

// Absent is a published data set whose files are missing on this machine.
type Absent struct{}

// Load implements datasets.Loader.
func (Absent) Load(context.Context, datasets.Source) (*datasets.Set, error) {
	return nil, fmt.Errorf("data set absent: %w", datasets.ErrMissing)
}
