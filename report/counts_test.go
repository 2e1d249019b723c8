package report

import (
	"html/template"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gaplab/gaplab/harness/claims"
	"github.com/gaplab/gaplab/harness/lang"
)

// TestCounts checks the numbers and the shares of claims by outcome: the shares of a paper add up to 100, and the total
// of all papers is the sum of their numbers.
func TestCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 5))
	for range 100 {
		n := map[claims.Outcome]int{}
		sum := 0
		for _, o := range claims.Outcomes() {
			if rng.IntN(3) > 0 {
				n[o] = rng.IntN(9)
				sum += n[o]
			}
		}
		p := &paper{Key: "eg"}
		p.count(n)
		share := 0.0
		for i, o := range claims.Outcomes() {
			c := p.Counts[i]
			if c.Class != string(o) || c.N != n[o] || c.Paper != "eg" || sum > 0 && c.Share != 100*float64(n[o])/float64(sum) {
				t.Fatalf("claims %v: count %+v of %s", n, c, o)
			}
			share += c.Share
		}
		if p.Claims != sum || len(p.Counts) != len(claims.Outcomes()) || sum > 0 && (share < 99.999 || share > 100.001) {
			t.Fatalf("claims %v: %d claims, shares add up to %v; want %d and 100", n, p.Claims, share, sum)
		}
	}
}

// TestCountsOfPapers checks that the numbers of a paper are those of its experiments only, that the total is that of
// all experiments, and that papers with more claims come first, otherwise in the order of the experiments.
func TestCountsOfPapers(t *testing.T) {
	rng := rand.New(rand.NewPCG(28, 11))
	inside := template.Must(template.New("inside").Parse(""))
	for range 50 {
		var accounts []*Account
		n, sum := map[string]map[claims.Outcome]int{}, map[string]int{}
		var keys []string
		for _, id := range []string{"eg/fig06", "rsd/fig1", "eg/tab2", "bethe/fig1", "rsd/fig2"}[:1+rng.IntN(5)] {
			a := &Account{Spec: &lang.Spec{ID: id, BuiltIn: true}}
			key, _, _ := strings.Cut(id, "/")
			if n[key] == nil {
				n[key], keys = map[claims.Outcome]int{}, append(keys, key)
			}
			for range rng.IntN(6) {
				o := claims.Outcomes()[rng.IntN(3)]
				a.Spec.Claims = append(a.Spec.Claims, lang.Claim{})
				a.Verdicts = append(a.Verdicts, claims.Verdict{Verdict: o})
				n[key][o]++
				sum[key]++
			}
			accounts = append(accounts, a)
		}
		slices.SortStableFunc(keys, func(a, b string) int { return sum[b] - sum[a] })
		v, err := newView(Page{Accounts: accounts}, inside)
		if err != nil || len(v.Papers) != len(keys) {
			t.Fatalf("error %v, %d papers; want %v", err, len(v.Papers), keys)
		}
		total := 0
		for i, p := range v.Papers {
			if p.Key != keys[i] || p.Claims != sum[keys[i]] {
				t.Errorf("paper %d is %s with %d claims, want %s with %d", i, p.Key, p.Claims, keys[i], sum[keys[i]])
			}
			for _, c := range p.Counts {
				if want := n[p.Key][claims.Outcome(c.Class)]; c.N != want {
					t.Errorf("%s: %d claims are %s, want %d", p.Key, c.N, c.Class, want)
				}
			}
			total += sum[p.Key]
		}
		for _, c := range v.Total.Counts {
			want := 0
			for _, of := range n {
				want += of[claims.Outcome(c.Class)]
			}
			if c.N != want || v.Total.Claims != total {
				t.Errorf("%d of all %d claims are %s, want %d of %d", c.N, v.Total.Claims, c.Class, want, total)
			}
		}
	}
}

// TestOrderOfExperiments checks the order of the experiments of a paper: figures by number, tables by number, other
// statements, and experiments that the paper does not have.
func TestOrderOfExperiments(t *testing.T) {
	of := func(id, kind string, p *lang.Paper) *item {
		s := &lang.Spec{ID: id, Kind: kind}
		s.Paper = p
		return &item{Account: &Account{Spec: s}, ID: id}
	}
	list := []*item{of("none", "figure", nil), of("own", "own", &lang.Paper{Figure: 1}),
		of("sec", "section", &lang.Paper{Section: "2"}), of("t2", "table", &lang.Paper{Table: 2}),
		of("t1", "table", &lang.Paper{Table: 1}), of("f10", "figure", &lang.Paper{Figure: 10}),
		of("f9", "figure", &lang.Paper{Figure: 9}), of("sec3", "section", &lang.Paper{Section: "3"})}
	slices.SortStableFunc(list, byWeight)
	var got []string
	for _, it := range list {
		got = append(got, it.ID)
	}
	if diff := cmp.Diff([]string{"f9", "f10", "t1", "t2", "sec", "sec3", "none", "own"}, got); diff != "" {
		t.Errorf("order differs (-want +got):\n%s", diff)
	}
}
