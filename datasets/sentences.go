package datasets

import "fmt"

// sentenceParts says which of the sentences that were read make a set.
type sentenceParts struct {
	train, validation []int // validation is nil if there is none
	limit             int   // training sentences to keep, the first ones; 0: all
	projective        bool  // leave out training sentences whose heads are not projective
}

// sentences fills a set with sentences that were read. The texts of each column are numbered as they first stand in
// the training sentences before the limit, then those that stand in validation sentences only: so the first sentences
// of a longer set have the numbers of the longer set.
func (set *Set) sentences(all *Sentences, p sentenceParts) error {
	list := p.train
	if p.projective {
		var dropped int
		if list, dropped = all.projectiveOnly(list); dropped > 0 {
			set.Warnings = append(set.Warnings,
				fmt.Sprintf("%d of %d training sentences are not projective and left out", dropped, len(p.train)))
		}
		if len(list) == 0 {
			return &SettingError{"projective", true,
				fmt.Sprintf("some projective sentence among the %d training sentences of %s, which has none", len(p.train),
					set.Name)}
		}
	}
	if err := checkLimit("train", p.limit, len(list), "training sentences of "+set.Name); err != nil {
		return err
	}
	train := all.Pick(list)
	var validation *Sentences
	if len(p.validation) > 0 {
		validation = all.Pick(p.validation)
		set.Validation = validation
	}
	numberTexts(train, validation)
	if p.limit > 0 {
		train = train.Pick(between(0, p.limit))
	}
	set.Train = train
	set.Warnings = append(set.Warnings, train.rootDoubts("training")...)
	if validation != nil {
		set.Warnings = append(set.Warnings, validation.rootDoubts("validation")...)
	}
	return nil
}

// numberTexts numbers the texts of each column anew, in the order in which they stand in train, then in validation.
func numberTexts(train, validation *Sentences) {
	for k := range train.Columns {
		column := &train.Columns[k]
		old := column.Text
		number := make([]int32, len(old)) // new number + 1 of an old one, 0 if it has none
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
