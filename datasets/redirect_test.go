package datasets

import (
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// TestStaySecure checks that a redirect from https to http is refused.
func TestStaySecure(t *testing.T) {
	ask := func(url string) *http.Request { return httptest.NewRequest(http.MethodGet, url, nil) }
	via := []*http.Request{ask("https://a.test/rows")}
	if err := staySecure(ask("https://b.test/rows"), via); err != nil {
		t.Errorf("error of a redirect from https to https = %v, want nil", err)
	}
	if err := staySecure(ask("http://a.test/rows"), via); err == nil ||
		!strings.Contains(err.Error(), "http://a.test/rows") {
		t.Errorf("https to http: error = %v, want one with the URL", err)
	}
	if err := staySecure(ask("http://b.test/rows"), []*http.Request{ask("http://a.test/rows")}); err != nil {
		t.Errorf("error of a redirect from http to http = %v, want nil", err)
	}
	if err := staySecure(ask("https://a.test/rows"), slices.Repeat(via, 10)); err == nil {
		t.Error("a tenth redirect is followed, want an error")
	}
}
