package parse

import (
	"fmt"

	"github.com/gaplab/gaplab/datasets"
	"github.com/gaplab/gaplab/datasets/internal/check"
)

// SentenceParts selects the training and validation sentences of a data set.
type SentenceParts struct {
	Train, Validation []int // indices of the sentences; Validation is nil if there are no validation data
	Limit             int   // number of training sentences to use, from the start of Train; 0: all
	Projective        bool  // if true, training sentences whose dependency trees are not projective are omitted
}

// FillSentences fills a set with the selected sentences. It numbers the texts of each column by first occurrence: first
// in all training sentences, including those that Limit removes, then in the validation sentences. So the number of a
// training text does not depend on Limit.
func FillSentences(set *datasets.Set, all *datasets.Sentences, p SentenceParts) error {
	list := p.Train
	if p.Projective {
		var dropped int
		if list, dropped = ProjectiveOnly(all, list); dropped > 0 {
			set.Warnings = append(set.Warnings,
				fmt.Sprintf("%d of %d training sentences are not projective and left out", dropped, len(p.Train)))
		}
		if len(list) == 0 {
			return check.Refuse("projective", true,
				fmt.Sprintf("at least one projective sentence among the %d training sentences of %s", len(p.Train), set.Name))

		}
	}
	if err := check.Limit("train", p.Limit, len(list), "training sentences of "+set.Name); err != nil {
		return err
	}
	train := all.Pick(list)
	var validation *datasets.Sentences
	if len(p.Validation) > 0 {
		validation = all.Pick(p.Validation)
		set.Validation = validation
	}
	NumberTexts(train, validation)
	if p.Limit > 0 {
		train = train.Pick(Between(0, p.Limit))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, rootDoubts(train, "training")...)
	if validation != nil {
		set.Warnings = append(set.Warnings, rootDoubts(validation, "validation")...)
	}
	return nil
}

// NumberTexts renumbers the texts of each column in the order of their first occurrence in train, then in validation.
func NumberTexts(train, validation *datasets.Sentences) {
	for k := range train.Columns {
		column := &train.Columns[k]
		old := column.Text
		number := make([]int32, len(old)) // for each old number: 1 + the new number, or 0 if there is none yet
		texts := make([]string, 0, len(old))
		renumber := func(ids []int32) {
			for t, id := range ids {
				if number[id] == 0 {
					texts = append(texts, old[id])
					number[id] = int32(len(texts))
				}
				ids[t] = number[id] - 1
			}
		}
		renumber(column.ID)
		if validation != nil {
			renumber(validation.Columns[k].ID)
			validation.Columns[k].Text = texts
		}
		column.Text = texts
	}
}

// ProjectiveOnly returns the indices in list of the sentences whose dependency trees are projective, and the number of
// the other sentences. If the sentences have no heads, it returns the whole list.
func ProjectiveOnly(s *datasets.Sentences, list []int) (kept []int, dropped int) {
	if s.Heads == nil {
		return list, 0
	}
	for _, i := range list {
		if datasets.Projective(s.Heads[s.Start[i]:s.Start[i+1]]) {
			kept = append(kept, i)
		}
	}
	return kept, len(list) - len(kept)
}

// rootDoubts returns a warning if sentences have more than one token with head 0.
func rootDoubts(s *datasets.Sentences, part string) []string {
	if s.Heads == nil {
		return nil
	}
	several := 0
	for i := range s.Len() {
		roots := 0
		for _, h := range s.Heads[s.Start[i]:s.Start[i+1]] {
			if h == 0 {
				roots++
			}
		}
		if roots > 1 {
			several++
		}
	}
	if several == 0 {
		return nil
	}
	return []string{fmt.Sprintf("%d of %d %s sentences have several roots", several, s.Len(), part)}
}

// Between returns low, low+1, ..., high−1.
func Between(low, high int) []int {
	list := make([]int, high-low)
	for i := range list {
		list[i] = low + i
	}
	return list
}
