package datasets

import "testing"

// checkDiscrete fails where a row has a value that its variable does not, or names are missing.
func checkDiscrete(t testing.TB, d *Discrete) {
	t.Helper()
	if d.Class < 0 || d.Class >= len(d.Variables) || len(d.Value) != d.Len()*len(d.Variables) {
		t.Fatalf("class %d of %d variables, %d values", d.Class, len(d.Variables), len(d.Value))
	}
	seen := map[string]bool{}
	for _, v := range d.Variables {
		if v.Name == "" || seen[v.Name] || len(v.Values) < 2 || len(v.Values) > 256 {
			t.Fatalf("variable %q, of %d values, has no name of its own or not 2 to 256 values", v.Name, len(v.Values))
		}
		seen[v.Name] = true
	}
	for i := range d.Len() {
		for v, x := range d.Row(i) {
			if int(x) >= len(d.Variables[v].Values) {
				t.Fatalf("row %d has the value %d of %s", i, x, d.Variables[v].Name)
			}
		}
	}
}
