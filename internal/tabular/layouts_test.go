package tabular

import (
	"strings"
	"testing"
)

// TestPaintAndIndent checks that colours are added to cells only, with their headings, after cells are cut and without
// an effect on the alignment, and that each line has the indent, in each of the layouts that Text falls back to.
func TestPaintAndIndent(t *testing.T) {
	table := &Listing{Head: []string{"best n", "empty", "name", "why it ended"}, Right: []string{"best n"}}
	table.Add("7", "", "文字", "stopped by the rule on passes")
	table.Add("12", "", "b", "")
	paint := func(heading, cell string) string { return "<" + heading[:1] + ":" + cell + ">" }
	for _, c := range []struct {
		width int
		want  string
	}{
		{0, "> best n  name  why it ended\n>      <b:7>  <n:文字>  <w:stopped by the rule on passes>\n" +
			">     <b:12>  <n:b>     <w:>\n"},
		{36, "> best n  name  why it ended\n>      <b:7>  <n:文字>  <w:stopped by the rule…>\n" +
			">     <b:12>  <n:b>     <w:>\n"},
		{34, ">             why\n> best        it\n>    n  name  ended\n" +
			">    <b:7>  <n:文字>  <w:stopped by the rule…>\n" +
			">   <b:12>  <n:b>     <w:>\n"},
		{33, "> best n        <b:7>\n> name          <n:文字>\n> why it ended  <w:stopped by the r…>\n\n" +
			"> best n        <b:12>\n> name          <n:b>\n"},
		{28, "> best n        <b:7>\n> name          <n:文字>\n> why it ended  <w:stopped by …>\n\n" +
			"> best n        <b:12>\n> name          <n:b>\n"},
		{5, "> best n        <b:7>\n> name          <n:文字>\n> why it ended  <w:stopped b…>\n\n" +
			"> best n        <b:12>\n> name          <n:b>\n"},
	} {
		var out strings.Builder
		err := table.Text(&out, Layout{Indent: "> ", Width: c.width, Sparse: true, Paint: paint})
		if err != nil || out.String() != c.want {
			t.Errorf("width %d: error %v, got\n%s\nwant\n%s", c.width, err, &out, c.want)
		}
	}
}

// TestClip checks where texts with wide characters are cut.
func TestClip(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{
		{"", 0, ""}, {"abc", 3, "abc"}, {"abc", 2, "a…"}, {"abc", 1, "…"}, {"文字", 4, "文字"},
		{"文字", 3, "文…"}, {"文字", 2, "…"}, {"a文字", 4, "a文…"},
		{"a文字", 3, "a…"}, {"e\u0301tude", 3, "e\u0301t…"},
	} {
		if got := Clip(c.text, c.n); got != c.want || Width(got) > max(c.n, 1) && c.n > 0 {
			t.Errorf("%q cut to %d columns is %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// TestLaTeXSpecials checks that each character with a meaning in LaTeX is replaced, in headings and cells, and that
// replacements are not replaced again.
func TestLaTeXSpecials(t *testing.T) {
	special := `\&%$#_{}~^` + "\n≥λε−±"
	want := `\textbackslash{}\&\%\$\#\_\{\}\textasciitilde{}\textasciicircum{} $\geq$$\lambda$$\varepsilon$--$\pm$`
	table := &Listing{Head: []string{special, "n", "m"}, Right: []string{"n", "m"}, Rows: [][]string{{"a", special, "b"},
		{"c", "d", special}}}
	var out strings.Builder
	if err := table.LaTeX(&out); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{`\begin{tabular}{lrr}`, want + ` & n & m \\` + "\n" + `\midrule`,
		"a & " + want + ` & b \\`, "c & d & " + want + ` \\` + "\n" + `\bottomrule`} {
		if !strings.Contains(out.String(), line+"\n") {
			t.Errorf("got\n%s\nwant a line %s", &out, line)
		}
	}
}

// TestFlatten checks the columns and cells of objects of several forms: the order of new keys, nested objects and
// lists, numbers as they are written, empty cells, and values that are no objects.
func TestFlatten(t *testing.T) {
	type object map[string]any
	table, err := Flatten([]object{{"b": object{"y": 12345678901, "x": object{"z": true}}},
		{"a": []any{1, "two", nil}, "b": object{"w": 0.1, "y": 7}, "c": []any{}}, {}, {"b": nil, "d": "last"}})
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := table.CSV(&out); err != nil {
		t.Fatal(err)
	}
	const want = "b,d,a,b.w,b.x.z,b.y,c\n,,,,true,12345678901,\n,,1 two <nil>,0.1,,7,\n,,,,,,\n,last,,,,,\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", &out, want)
	}
	scalars, err := Flatten([]any{1, "x", nil, []string{"a", "b"}})
	if err != nil || strings.Join(scalars.Head, ",") != "" || len(scalars.Rows) != 4 || scalars.Rows[3][0] != "a b" ||
		scalars.Rows[0][0] != "1" || scalars.Rows[2][0] != "" {
		t.Errorf("values that are no objects give %+v (%v)", scalars, err)
	}
	if _, err := Flatten([]any{func() {}}); err == nil {
		t.Error("a function is flattened without an error")
	}
	if none, err := Flatten[object](nil); err != nil || len(none.Head)+len(none.Rows) != 0 {
		t.Errorf("no objects give %+v (%v)", none, err)
	}
}
