package schedule_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
	"github.com/gaplab/gaplab/harness/lang"
	"github.com/gaplab/gaplab/harness/schedule"
)

// numbersNamed calls f for each field of a name in v, a struct of settings, with its path. It follows the first
// item of each list, and pointers to structs of package lang. A pointer that is nil has a new struct meanwhile.
func numbersNamed(v reflect.Value, field, path string, f func(path string, number reflect.Value)) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.Type().Elem().PkgPath() != reflect.TypeFor[lang.Stop]().PkgPath() {
			return // such as yaml.Node, which refers to itself
		}
		old := reflect.ValueOf(v.Interface())
		v.Set(reflect.New(v.Type().Elem()))
		if !old.IsNil() {
			v.Elem().Set(old.Elem())
		}
		numbersNamed(v.Elem(), field, path, f)
		v.Set(old)
	case reflect.Slice:
		if v.Len() > 0 {
			numbersNamed(v.Index(0), field, path+"[0]", f)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if !v.Type().Field(i).IsExported() {
				continue
			}
			if name == field && v.Field(i).Kind() == reflect.Float64 {
				f(path+"."+name, v.Field(i))
				continue
			}
			numbersNamed(v.Field(i), field, path+"."+name, f)
		}
	}
}

// TestEachLimitInSecondsIsTimed checks that an experiment is timed if any rule that ends its runs is in seconds,
// whichever part of the spec has the rule, and that it is not if the same rule is in passes, or if it is a budget.
func TestEachLimitInSecondsIsTimed(t *testing.T) {
	for _, field := range []string{"Seconds", "Passes"} {
		s := toy.Spec(t, toy.AtC+"solvers: [{name: ascent, rate: 0.5}]\nstop: {gap: 0.5}\n")
		s.Problems[0].Solvers[0].Path = nil
		limits := 0
		numbersNamed(reflect.ValueOf(&s.Problems[0]).Elem(), field, "problem", func(path string, number reflect.Value) {
			limits++
			old := number.Float()
			number.SetFloat(1)
			want := field == "Seconds" && !strings.Contains(path, "Budget")
			if got := schedule.Timed(s); got != want {
				t.Errorf("Timed = %v with %s = 1, want %v", got, path, want)
			}
			number.SetFloat(old)
		})
		if limits < 5 {
			t.Errorf("limits named %s in %T = %d, want at least 5", field, lang.Problem{}, limits)
		}
	}
}
