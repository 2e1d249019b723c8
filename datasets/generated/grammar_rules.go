package generated

// sentenceRules is the grammar of the generated sentences. A line has a symbol and the expansions of this symbol,
// separated by |. An expansion begins with its weight, and * marks the child that is the head.
//
// The label of a symbol is the text before its first -. The text after this - makes distinctions that labels do not
// have: number (s or p, in which subject and verb agree), the form of a verb (s, p, or i for the infinitive), and the
// phrase to which a preposition or a clause belongs. A rule with -n abbreviates two rules, one with -s and one with -p
// in all its symbols; a rule with -f abbreviates three, with -s, -p and -i. An expansion into a single symbol with the
// same label adds no node to the tree.
//
// The labels, and sometimes the words too, do not determine where a PP attaches, how far a coordination extends, and
// where one NP ends and the next begins. A parser must learn to resolve these ambiguities, and cannot resolve all of
// them.
const sentenceRules = `
S-main        14 NP-subj-n *VP-n . | 5 PP-verb , NP-subj-n *VP-n . | 2 ADVP , NP-subj-n *VP-n .
S-main        4 SBAR-when , NP-subj-n *VP-n . | 5 *S CC S . | 2 *VP-i .
S             8 NP-subj-n *VP-n | 1 ADVP NP-subj-n *VP-n
S-bare        1 VP-i
SBAR-that     1 *IN-that S | 1 S
SBAR-which-n  1 *IN-which VP-n
SBAR-when     1 *IN-when S

VP-f          2 *V0-f | 4 *V0-f PP-verb | 6 *V0-f PP-verb PP-verb
VP-f          2 *V0-f ADVP | 2 *V0-f NP-time | 2 *V0-f ADVP PP-verb
VP-f          6 *V1-f NP | 16 *V1-f NP PP-verb | 14 *V1-f NP PP-verb PP-verb
VP-f          5 *V1-f NP ADVP | 3 *V1-f NP NP-time | 5 *V1-f ADVP NP
VP-f          5 *V2-f NP NP | 14 *VS-f SBAR-that | 8 *VH-f S-bare
VP-f          6 *VB-f ADJP | 4 *VB-f ADVP ADJP | 4 *VB-f NP | 2 *VB-f PP-verb
VP-f          3 ADVP *VP-f | 5 *VP-f SBAR-when | 15 *VP-f CC VP-f
VP-n          24 MD *VP-i | 7 MD RB-not *VP-i

NP            6 NP-s | 5 NP-p
NP-subj-n     8 NP-n | 2 NP-pron-n
NP-pron-n     1 PRP-n
NP-time       2 DT-time *N-time | 2 JJ-time *N-time | 2 NNP-day
NP-n          40 NP-base-n | 14 *NP-base-n PP-noun | 3 *NP-base-n PP-noun PP-noun
NP-n          4 *NP-base-n SBAR-which-n | 3 *NP-base-n PP-noun SBAR-which-n
NP-p          24 *NP CC NP | 4 *NP , NP CC NP
NP-s          4 *NP-name , NP-s ,
NP-base-n     10 DT-n *N-n | 5 DT-n JJ *N-n | 2 DT-n JJ JJ *N-n | 2 DT-n RB-very JJ *N-n
NP-base-n     4 DT-n N-s *N-n | 7 DT-n JJ N-s *N-n | 7 DT-n NX *N-n
NP-base-n     2 DT-n NNP *N-n | 1 DT-n NNP-day *N-n | 1 NNP *N-n
NP-base-p     18 N-p | 7 JJ *N-p | 3 RB-very JJ *N-p | 3 N-s *N-p | 5 JJ N-s *N-p | 6 NX *N-p | 4 N-p CC *N-p
NP-base-s     9 NP-name | 5 N-s
NP-name       5 NNP | 4 NNP *NNP
NX            5 JJ *N-s | 2 N-s *N-s | 2 N-s CC *N-s

PP-verb       1 *IN-verb NP
PP-noun       1 *IN-noun NP
ADVP          6 RB | 1 RB-very *RB
ADJP          6 JJ | 2 RB-very *JJ | 2 *JJ PP-noun | 1 *JJ CC JJ
`

// sentenceGrammar returns the grammar of the generated sentences and trees.
func sentenceGrammar() *grammar { return newGrammar(sentenceRules, sentenceLexicon(), "S-main") }
