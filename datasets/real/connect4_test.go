package real

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/datasettest"
)

// connect4Line returns a row whose squares are blank except for the given ones, numbered from 0.
func connect4Line(class string, squares map[int]string) string {
	fields := make([]string, connect4Squares, connect4Squares+1)
	for j := range fields {
		fields[j] = "b"
		if s, ok := squares[j]; ok {
			fields[j] = s
		}
	}
	return strings.Join(append(fields, class), ",") + "\n"
}

func TestConnect4Rows(t *testing.T) {
	text := connect4Line("win", map[int]string{0: "x", 41: "o"}) + connect4Line("draw", nil) +
		strings.TrimSuffix(connect4Line("loss", map[int]string{7: "x"}), "\n")
	got, err := readConnect4("f", strings.NewReader(text), 3)
	if err != nil {
		t.Fatal(err)
	}
	d := &datasets.Discrete{Variables: connect4Variables(), Class: connect4Squares, Value: got}
	datasettest.CheckDiscrete(t, d)
	var b strings.Builder
	for i := range d.Len() {
		for v, x := range d.Row(i) {
			if name := d.Variables[v].Values[x]; name != "b" {
				b.WriteString(d.Variables[v].Name + "=" + name + " ")
			}
		}
	}
	if want := "a1=x g6=o class=win class=draw b2=x class=loss "; b.String() != want {
		t.Errorf("the rows are %s, want %s", b.String(), want)
	}
}

func TestConnect4RowErrors(t *testing.T) {
	good := connect4Line("win", nil)
	for _, c := range []struct{ line, want string }{
		{"", "f:2:1: want x, o or b and then a comma for square 1 of 42"},
		{"b,b,b", "f:2:5: want x, o or b and then a comma for square 3 of 42"},
		{"b,xx,b", "f:2:3: want x, o or b and then a comma for square 2"},
		{connect4Line("win", map[int]string{2: "y"}), `f:2:5: square "y": want x, o or b`},
		{connect4Line("won", nil), `f:2:85: class "won"; accepted: win, loss, draw`},
		{connect4Line("b,win", nil), `f:2:85: class "b,win"; accepted: win, loss, draw`},
		{strings.TrimSuffix(good, "win\n"), `f:2:85: class ""; accepted: win`},
	} {
		_, err := readConnect4("f", strings.NewReader(good+strings.TrimSuffix(c.line, "\n")+"\n"), 2)
		var syntax *datasets.SyntaxError
		if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%q: error %v, want %s", c.line, err, c.want)
		}
	}
	for n, want := range map[int]string{1: "f:2:1: more than 1 rows", 3: "f: 2 rows: want 3"} {
		if _, err := readConnect4("f", strings.NewReader(good+good), n); err == nil || err.Error() != want {
			t.Errorf("2 rows, expecting %d: error %v, want %s", n, err, want)
		}
	}
}

func FuzzConnect4(f *testing.F) {
	f.Add(connect4Line("win", nil))
	f.Add("b,b,x,")
	f.Fuzz(func(t *testing.T, text string) {
		if value, err := readConnect4("f", strings.NewReader(text), 1); err == nil {
			datasettest.CheckDiscrete(t,
				&datasets.Discrete{Variables: connect4Variables(), Class: connect4Squares, Value: value})
		}
	})
}

func TestConnect4Settings(t *testing.T) {
	var setting *datasets.SettingError
	err := Connect4{Train: 30000, Validation: 37558}.Validate()
	if !errors.As(err, &setting) || setting.Key != "validation" {
		t.Errorf("error of more rows than the file has = %v, want a SettingError of validation", err)
	}
}

// TestConnect4 checks that the classes have the frequencies in the published description of the file. It also checks
// that each row is either in the training or in the validation data.
func TestConnect4(t *testing.T) {
	set := loadReal(t, "connect-4", Connect4{Train: 30000, Validation: 37557, SplitSeed: 1})
	train, validation := set.Train.(*datasets.Discrete), set.Validation.(*datasets.Discrete)
	count := make([]int, 3)
	seen := map[string]bool{}
	for _, d := range []*datasets.Discrete{train, validation} {
		for i := range d.Len() {
			count[d.Row(i)[d.Class]]++
			seen[string(d.Row(i))] = true
		}
	}
	if !slices.Equal(count, []int{44473, 16635, 6449}) || len(seen) != connect4Rows {
		t.Errorf("the classes have %v rows, %d of all are distinct; want 44473, 16635, 6449 of 67557", count, len(seen))
	}
	few := loadReal(t, "connect-4", Connect4{Train: 10, Validation: 5, SplitSeed: 1})
	last := validation.Value[len(validation.Value)-5*43:]
	if !slices.Equal(few.Train.(*datasets.Discrete).Value, train.Value[:10*43]) ||
		!slices.Equal(few.Validation.(*datasets.Discrete).Value, last) || few.Checksum == set.Checksum {
		t.Error("want the rows of a smaller set at the start of a larger set, and another checksum")
	}
	if other := loadReal(t, "connect-4",
		Connect4{Train: 10, SplitSeed: 2}); slices.Equal(other.Train.(*datasets.Discrete).Value,
		few.Train.(*datasets.Discrete).Value) || other.Validation != nil {
		t.Error("another seed gives the same rows, or there are validation rows although Validation is 0")
	}
}
