package harness

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gaplab/gaplab/harness/internal/toy"
)

// TestMetricsCountedAgain checks the validation metrics of a run. It labels the validation text with the weights of the
// run and counts the errors with code that is independent of the models and of --eval: it compares sets of spans,
// columns of lines, and brackets.
func TestMetricsCountedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("-short is set, and this test trains one model for each kind of data")
	}
	sentences := "name: sentences, train: 60, validation: 60"
	for _, c := range []struct {
		model, data string
		count       func(t *testing.T, truth, predicted string) (metrics map[string]float64, line string)
	}{
		{"chain, label: chunk", sentences, countSpans},
		{"chain, label: label", "name: references, train: 40, validation: 30", countSpans},
		{"deptree", sentences, countHeads},
		{"cfg", "name: grammar, train: 60, validation: 60", countBrackets},
	} {
		p, f := saved(t, specOn(c.data, c.model+", loss: log", passes(3, "eg, eta: 0.5")))
		text := written(load(t, p).Validation)
		out, made := predict(t, p, text, PredictOptions{})
		metrics, line := c.count(t, text, out)
		for name, want := range metrics {
			got, ok := toy.Last(t, f)[name]
			if !ok || math.Abs(got-want) > 1e-12 || want <= 0 || want >= 1 {
				t.Errorf("%s: %s of the run = %.15g, want %.15g as counted in the text", c.model, name, got, want)
			}
		}
		if !strings.Contains(strings.Join(made.Scores, "\n"), line) {
			t.Errorf("%s: scores = %q, want the line %q", c.model, made.Scores, line)
		}
	}
}

// countSpans counts spans in lines whose last column is the predicted label. The true label is in the column before it
// or, if that column is a number (the head of a word), in the column before the number.
func countSpans(t *testing.T, _, predicted string) (map[string]float64, string) {
	var count [3]int // number of true spans, of predicted spans, and of spans that are both
	for sentence := range strings.SplitSeq(strings.TrimSpace(predicted), "\n\n") {
		var labels [2][]string
		for line := range strings.SplitSeq(sentence, "\n") {
			fields := strings.Fields(line)
			at := len(fields) - 2
			if _, err := strconv.Atoi(fields[at]); err == nil {
				at--
			}
			labels[0], labels[1] = append(labels[0], fields[at]), append(labels[1], fields[len(fields)-1])
		}
		is, guess := spanSet(labels[0]), spanSet(labels[1])
		for span := range is {
			if guess[span] {
				count[2]++
			}
		}
		count[0], count[1] = count[0]+len(is), count[1]+len(guess)
	}
	f1 := 2 * float64(count[2]) / float64(count[0]+count[1])
	return map[string]float64{"validation_f1": f1}, fmt.Sprintf("found: %d phrases; correct: %d.\n", count[1], count[2])
}

// spanSet returns the spans of labels such as B-X I-X O, each as its type, begin and end.
func spanSet(labels []string) map[string]bool {
	out := map[string]bool{}
	for begin := 0; begin < len(labels); {
		kind := strings.TrimLeft(labels[begin], "BI")
		end := begin + 1
		for end < len(labels) && labels[end] == "I"+kind {
			end++
		}
		if kind != "O" {
			out[fmt.Sprint(kind, begin, end)] = true
		}
		begin = end
	}
	return out
}

// countHeads counts correct heads in lines whose last column is the head.
func countHeads(t *testing.T, truth, predicted string) (map[string]float64, string) {
	right, tokens, rightWords, words := 0, 0, 0, 0
	is, guess := strings.Split(strings.TrimSpace(truth), "\n"), strings.Split(strings.TrimSpace(predicted), "\n")
	if len(is) != len(guess) {
		t.Fatalf("the prediction has %d lines, want the %d of the text", len(guess), len(is))
	}
	for i, line := range is {
		a, b := strings.Fields(line), strings.Fields(guess[i])
		if len(a) == 0 {
			continue
		}
		same := a[len(a)-1] == b[len(b)-1]
		tokens++
		if same {
			right++
		}
		if strings.Trim(a[0], ",.?!") != "" {
			words++
			if same {
				rightWords++
			}
		}
	}
	return map[string]float64{"validation_accuracy": float64(right) / float64(tokens),
			"validation_accuracy_words": float64(rightWords) / float64(words)},
		fmt.Sprintf("; %d of %d heads are wrong\n", tokens-right, tokens)
}

// countBrackets counts brackets in texts with one tree per line. A bracket is a label with the words below it. The
// second result is a line of scores as the program EVALB computes them: words that are punctuation in the true tree are
// ignored.
func countBrackets(t *testing.T, truth, predicted string) (map[string]float64, string) {
	var all, plain [3]int // true, predicted and common brackets; plain ignores punctuation
	guess := strings.Split(strings.TrimSpace(predicted), "\n")
	for i, line := range strings.Split(strings.TrimSpace(truth), "\n") {
		var punctuation []int
		for n, leaf := range regexp.MustCompile(`\([^ ()]+ [^ ()]+\)`).FindAllString(line, -1) {
			if strings.Contains(",.:", leaf[1:2]) {
				punctuation = append(punctuation, n+1)
			}
		}
		for _, c := range []struct {
			skip []int
			to   *[3]int
		}{{nil, &all}, {punctuation, &plain}} {
			a, b := bracketBag(line, c.skip), bracketBag(guess[i], c.skip)
			for bracket, n := range a {
				c.to[0] += n
				c.to[2] += min(n, b[bracket])
			}
			for n := range maps.Values(b) {
				c.to[1] += n
			}
		}
	}
	percent := func(a, b int) float64 { return 100 * float64(a) / float64(b) }
	return map[string]float64{"validation_f1": 2 * float64(all[2]) / float64(all[0]+all[1])},
		fmt.Sprintf("labelled brackets:   precision: %6.2f%%; recall: %6.2f%%;", percent(plain[2], plain[1]),
			percent(plain[2], plain[0]))
}

// bracketBag counts the brackets of a tree, without tags. A bracket is its label and the numbers of its words. The
// words in skip are left out.
func bracketBag(line string, skip []int) map[string]int {
	bag := map[string]int{}
	type open struct {
		label string
		words []string
		leaf  bool
	}
	var stack []open
	words := 0
	for _, token := range strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(line)) {
		switch last := len(stack) - 1; {
		case token == "(":
			stack = append(stack, open{})
		case token != ")" && stack[last].label == "":
			stack[last].label = token
		case token != ")":
			stack[last].leaf = true
			if words++; !slices.Contains(skip, words) {
				for k := range stack {
					stack[k].words = append(stack[k].words, strconv.Itoa(words))
				}
			}
		default:
			if top := stack[last]; !top.leaf && len(top.words) > 0 {
				bag[top.label+" "+strings.Join(top.words, " ")]++
			}
			stack = stack[:last]
		}
	}
	return bag
}
