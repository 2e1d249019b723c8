package generated

import "strings"

// The functions in this file return the words of References. Many words occur in several fields, which makes their
// labels ambiguous.

func referenceGivenNames() []string {
	return strings.Fields(`Anna Boris Carla David Elena Frank Grace Henry Irene James Karin Louis Maria Nora Oscar
		Paula Quentin Robert Sofia Thomas Ursula Victor Wanda Xavier Yvonne Zoe Martin Lewis Paul Vera`)
}

// referenceFamilyNames separates names by commas because some have two words.
func referenceFamilyNames() []string {
	return commaList(`Ames, Baker, Carver, Dorn, Ellis, Fischer, Grant, Hale, Ivanova, Jensen, Kowal, Lorenz, Marsh,
		Novak, Olsen, Peters, Quist, Rossi, Santos, Tanaka, Ueda, Vance, Weber, Young, Zeller, van Dam, de la Cruz,
		Martin, Thomas, Lewis, James, Stone, Field, Bell, Church, Park, Hill, Moreau, Okafor, Singh, Zhang, Li, Kim,
		Haas, Brandt, Costa, Duarte, Eriksen`)
}

func referencePlaces() []string {
	return strings.Fields(`Lisbon Oslo Turin Kyoto Boston Vienna Leeds Porto Graz Lyon Quito Dover Perth Austin
		Ghent Malmo Tartu Cracow Seville Nantes Bergen Utrecht`)
}

func referenceMonths() []string {
	return strings.Fields("January February March April May June July August September October November December Jan. " +
		"Mar. Aug. Oct. Dec.")
}

func referenceAdjectives() []string {
	return strings.Fields(`linear sparse random optimal fast local global robust discrete stochastic nonlinear
		adaptive exact simple general weak strong quantum applied statistical mathematical modern`)
}

func referenceSubjects() []string {
	return commaList(`inference, graph theory, fluid mechanics, learning, control, optimization, networks, parsing,
		cell biology, signal processing, field theory, economics, language, geometry, algebra, plasma physics, geology,
		measurement, statistics, scattering, logic, turbulence, genetics, information, vision, games, education, energy,
		stellar evolution, topology`)
}

func referenceTitles() []string {
	return commaList(`on the # of @ #, @ # with @ #, a note on #, # and # : a @ approach, # in ^ since $, the ~
		theorem for @ #, @ methods in #, towards @ #, # . part %, # for @ # . II, introduction to #, advances in #,
		handbook of @ #, # after $ : a survey, the ~ and ~ model of #, how @ is #, # from % samples, what ~ knew about
		#, # versus # in @ #, @ # and its applications to #, a @ theory of #, lectures on @ #, topics in #, principles
		of #, the $ census of # in ^, letters on #, bounds for @ # in % dimensions, an annotated history of # in ^ . $
		to $, is # @ ?, proceedings and pitfalls of #`)
}

func referenceJournals() []string {
	return commaList(`Journal of #, # Letters, Annals of #, Journal of @ #, # Review, Transactions on #, ^ Journal
		of #, Archive for @ #, International Journal of #, # and #, Advances in #, Acta #, Studies in @ #, # Today,
		Reports on #, @ #, Communications in #`)
}

func referenceProceedings() []string {
	return commaList(`Proceedings of the %th Conference on #, Proceedings of the Workshop on @ #, International
		Symposium on #, Proceedings of the $ Conference on #, Conference on @ # $, Advances in #, # and #, Proceedings
		of the ^ Summer School on #, Topics in @ #, %th Meeting on # and #, Workshop on # in ^`)
}

func referenceSeries() []string {
	return commaList("Lectures in #, Studies in #, ^ Series in #, Monographs on @ #, # and #")
}

func referencePublishers() []string {
	return commaList("~ Press, ~ and ~, ^ University Press, ~ & Sons, ~, Academic Books, ~ Publishers, Society for #, " +
		"~ Verlag")
}

func referenceSchools() []string {
	return commaList("University of ^, ^ University, Institute of #, ^ Institute of #, Department of # of the " +
		"University of ^, ~ Laboratories")
}

func referenceEditions() []string {
	return commaList("2nd ed ., second edition, third edition, 3rd edition, revised edition")
}

func referenceKinds() []string {
	return commaList("PhD thesis, Ph.D. dissertation, Master 's thesis, Technical report, Tech . rep ., Preprint, " +
		"Working paper")
}

func referenceNotes() []string {
	return commaList("to appear, in press, submitted, preprint %, unpublished, available from the author, in " +
		"preparation, submitted to # Letters, Report % $")
}

// commaList returns the phrases of a text in which commas separate them.
func commaList(text string) []string {
	list := strings.Split(text, ",")
	for i, phrase := range list {
		list[i] = strings.Join(strings.Fields(phrase), " ")
	}
	return list
}
