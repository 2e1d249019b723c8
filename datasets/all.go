package datasets

import "slices"

// All lists every data set and format. To add one, write its loader in a file of its own, and add its entry here.
func All() []Entry {
	return slices.Concat([]Entry{
		digitsEntry(),
		mnistEntry(),
		wordsEntry(),
		grammarSentencesEntry(),
		grammarTreesEntry(),
		sparseTextEntry(),
		terrainEntry(),
		singleEntry(),
		markovEntry(),
		trackingEntry(),
		discreteEntry(),
		migrationEntry(),
		referencesEntry(),
		libsvmEntry(),
		conllEntry(),
		conlluEntry(),
		ptbEntry(),
		ocrLettersEntry(),
		conll2000Entry(),
		cast3lbEntry(),
		ptbSampleEntry(),
		covertypeEntry(),
		connect4Entry(),
		umassCitationsEntry(),
		umassNestedEntry(),
	}, libsvmSets())
}
