package datasettest

import (
	"reflect"
	"slices"
	"testing"

	"github.com/gaplab/gaplab/datasets"
)

// checkScaled checks the setting scale of a loader of labelled rows. For each value of this setting, Load must return
// the default data after Set.Scale with this value, and another checksum for each scaling. A setting with the name
// scale that does not accept max has another meaning, and is not checked.
func checkScaled(t testing.TB, name string, base func() datasets.Loader, src datasets.Source) {
	s := settingNamed(settingsOf(base()), "scale")
	if s == nil || !slices.Contains(s.accept, datasets.ScaleMax) {
		return
	}
	if value := reflect.ValueOf(base()).Elem().Field(s.field).String(); value != datasets.ScaleNone {
		t.Errorf("%s: the default of scale is %q, want %q", name, value, datasets.ScaleNone)
	}
	sums := map[string]string{}
	for _, kind := range s.accept {
		want := load(t, base(), src)
		l, _ := s.with(base, kind)
		got := load(t, l, src)
		if want == nil || got == nil {
			return
		}
		if want.Scaling.Kind != datasets.ScaleNone {
			t.Errorf("%s: the scaling of the default is %q, want %q: does Load call Set.Scale?", name, want.Scaling.Kind,
				datasets.ScaleNone)
		}
		if err := want.Scale(kind); err != nil {
			t.Errorf("%s: scale %s: %v", name, kind, err)
			return
		}
		if Bits(got) != Bits(want) || !reflect.DeepEqual(got.Scaling, want.Scaling) {
			t.Errorf("%s: with scale %s, Load does not return the data that Set.Scale makes of the default", name, kind)
		}
		if same := sums[got.Checksum]; same != "" {
			t.Errorf("%s: the data with scales %s and %s have the same checksum: want different ones", name, kind, same)
		}
		sums[got.Checksum] = kind
	}
}
