package real

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

// Connect4 is J. Tromp's opening database of the game Connect-4: all legal positions after 8 moves in which neither
// player has won and the next move is not forced. A row has the 42 squares a1 to a6, b1 to b6, ..., g6 (a column and a
// row counted from below), each x, o or b for blank. The class is the outcome for x under perfect play: win, loss or
// draw.
//
// SplitSeed draws a random permutation of the 67,557 rows. The first Train rows of the permutation are the training
// rows, and the last Validation rows are the validation rows. So the rows of smaller sets are also in larger sets.
// Neither the training rows nor the validation rows depend on the number of the other rows.
type Connect4 struct {
	// number of training rows
	Train int `yaml:"train" jsonschema:"minimum=1,maximum=67557"`
	// number of validation rows, at most the number of rows that are not training rows; 0: none
	Validation int `yaml:"validation" jsonschema:"minimum=0,maximum=67556"`
	// seed of the permutation that splits the rows
	SplitSeed uint64 `yaml:"split_seed"`
}

const (
	connect4Rows    = 67557
	connect4Squares = 42
	connect4Train   = 30000
)

// Connect4Entry returns the catalogue entry of Connect4.
func Connect4Entry() datasets.Entry {
	return datasets.Entry{
		Revision: 1,
		Name:     "connect-4",
		Title:    "Openings of the game Connect-4",
		About: "67,557 positions after 8 moves: 42 squares that are x, o or blank, and who wins; a random 30,000 to " +
			"train on, the others to validate on",
		Licence: "CC BY 4.0 (UCI); John Tromp, 1995",
		Files:   connect4Files(),
		Expect: datasets.Counts{Train: connect4Train, Validation: connect4Rows - connect4Train, Features: connect4Squares,
			Classes: 3},
		New: func() datasets.Loader {
			return &Connect4{Train: connect4Train, Validation: connect4Rows - connect4Train, SplitSeed: 1}
		},
	}
}

func connect4Files() []datasets.File {
	return []datasets.File{{
		Name:   "connect4/connect-4.data.gz",
		URLs:   []string{"https://archive.ics.uci.edu/ml/machine-learning-databases/connect-4/connect-4.data.Z"},
		Bytes:  5968100,
		SHA256: "063152e6eadbb424c7ef4645df76e493a43812edd9c992400983da4fa54f8cba",
	}}
}

// Validate implements Validator.
func (c Connect4) Validate() error {
	err := check.Settings(c)
	if err == nil && c.Train+c.Validation > connect4Rows {
		return check.Refuse("validation", c.Validation,
			fmt.Sprintf("at most the %d rows that are not training rows", connect4Rows-c.Train))
	}
	return err
}

// Load implements Loader. A row takes 43 bytes.
func (c Connect4) Load(ctx context.Context, src datasets.Source) (*datasets.Set, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	all := &datasets.Discrete{Variables: connect4Variables(), Class: connect4Squares}
	set := &datasets.Set{Name: "connect-4", Files: map[string]string{}}
	settings := []string{strconv.Itoa(c.Train), strconv.Itoa(c.Validation), strconv.FormatUint(c.SplitSeed, 10)}
	err := set.ReadFiles(ctx, src, connect4Files(), settings, func(path string, r io.Reader) (err error) {
		all.Value, err = readConnect4(path, r, connect4Rows)
		return err
	})
	if err != nil {
		return nil, err
	}
	place := rand.New(rand.NewPCG(c.SplitSeed, 1)).Perm(connect4Rows)
	set.Train = all.Pick(place[:c.Train])
	if c.Validation > 0 {
		set.Validation = all.Pick(place[connect4Rows-c.Validation:])
	}
	return set, nil
}

// connect4Variables returns the variables of a row: the squares, then the class.
func connect4Variables() []datasets.Variable {
	var list []datasets.Variable
	for column := 'a'; column <= 'g'; column++ {
		for row := '1'; row <= '6'; row++ {
			list = append(list, datasets.Variable{Name: string(column) + string(row), Values: []string{"x", "o", "b"}})
		}
	}
	return append(list, datasets.Variable{Name: "class", Values: []string{"win", "loss", "draw"}})
}

// readConnect4 reads the rows of a file and returns their values. It returns an error if the file does not have the
// given number of rows.
func readConnect4(path string, r io.Reader, rows int) ([]uint8, error) {
	in := parse.NewLines(path, r)
	value := make([]uint8, 0, rows*(connect4Squares+1))
	for n := range rows {
		line, err := in.ReadLine()
		if err == io.EOF {
			return nil, fmt.Errorf("%s: %d rows: want %d", path, n, rows)
		} else if err != nil {
			return nil, err
		}
		for j := range connect4Squares {
			if 2*j+1 >= len(line) || line[2*j+1] != ',' {
				return nil, in.Fault(min(2*j, len(line)), "want x, o or b and then a comma for square %d of 42", j+1)
			}
			switch line[2*j] {
			case 'x':
				value = append(value, 0)
			case 'o':
				value = append(value, 1)
			case 'b':
				value = append(value, 2)
			default:
				return nil, in.Fault(2*j, "square %q: want x, o or b", line[2*j:2*j+1])
			}
		}
		switch class := line[2*connect4Squares:]; string(class) {
		case "win":
			value = append(value, 0)
		case "loss":
			value = append(value, 1)
		case "draw":
			value = append(value, 2)
		default:
			return nil, in.Fault(2*connect4Squares, "class %q; accepted: win, loss, draw", class)
		}
	}
	if _, err := in.ReadLine(); err == nil {
		return nil, in.Fault(0, "more than %d rows", rows)
	} else if err != io.EOF {
		return nil, err
	}
	return value, nil
}

// Stream implements datasets.Streamer, for lines like those of the file, with or without the class.
func (Connect4) Stream(path string, r io.Reader, target string) (datasets.Stream, error) {
	var names []string
	for _, v := range connect4Variables() {
		names = append(names, v.Name)
	}
	return parse.NewTableStream(path, r, names, target), nil
}
