package real

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/parse"
)

func TestNamespaceBlanker(t *testing.T) {
	in := "1 |f 2:3 4:5\n-1 |name 1:1 |g 2:2\n|f\n1 |f"
	want := "1    2:3 4:5\n-1       1:1    2:2\n  \n1   "
	for name, r := range map[string]io.Reader{"whole": strings.NewReader(in),
		"by bytes": iotest.OneByteReader(strings.NewReader(in))} {
		got, err := io.ReadAll(&namespaceBlanker{r: r})
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, error %v, want %q", name, got, err, want)
		}
	}
}

func TestNamespaceBlankerKeepsPlaces(t *testing.T) {
	read := func(text string) (*datasets.Labelled, error) {
		rows, _, err := parse.ReadTraining(func(parse func(string, io.Reader) error) error {
			return parse("f", &namespaceBlanker{r: strings.NewReader(text)})
		}, 2, false)
		return rows, err
	}
	rows, err := read("1 |f 2:3\n")
	if err != nil {
		t.Fatal(err)
	}
	if index, value := rows.X.Row(0); len(index) != 1 || index[0] != 1 || value[0] != 3 {
		t.Errorf("first row: features = %v, values = %v; want [1] and [3]", index, value)
	}
	if _, err := read("1 |f 2:3\n1 |f 2:x\n"); err == nil || !strings.HasPrefix(err.Error(), `f:2:8: value "x"`) {
		t.Errorf("error in the second row = %v, want one at f:2:8", err)
	}
}

// TestRealBinarySets checks the classes and the first values of the small published sets with two classes.
func TestRealBinarySets(t *testing.T) {
	for _, c := range []struct {
		name                 string
		positive, validation int
		first                []float64
	}{
		{"svmlight-example1", 1000, 300, []float64{.0198403253586671, .0339873732306071}},
		{"rcv1-sample", 459, 245, []float64{6.2699720e-02, 3.3754818e-02}},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := entry(t, c.name)
			set := loadReal(t, c.name, e.New())
			train, validation := set.Train.(*datasets.Labelled), set.Validation.(*datasets.Labelled)
			positives := func(l *datasets.Labelled) (n int) {
				for _, y := range l.Y {
					n += y
				}
				return n
			}
			if a, b := positives(train), positives(validation); a != c.positive || b != c.validation ||
				train.Classes[0] != "-1" {
				t.Errorf("%d and %d positive rows, classes %q; want %d and %d", a, b, train.Classes, c.positive, c.validation)
			}
			if _, value := train.X.Row(0); value[0] != c.first[0] || value[1] != c.first[1] {
				t.Errorf("first two values of the first row = %v, want those of the published file", value[:2])
			}
		})
	}
}
