package generated

import "strings"

// wordList returns the words that Words draws from. Together these words contain every letter.
func wordList() []string {
	return strings.Fields(`
		box joy sky zip
		back flow jump lazy quiz very wave
		amber house light maple quick young
		basket design famous garden kitchen journey measure picture quarter
		children hydrogen shoulder together village building question strange evening
		adjustment background friendship landscape marketplace objective waterfall northern
		complexity expectation handwriting judgement knowledge neighbourhood conversation exchange
		understanding transformation government machinery frequently`)
}

const letterCount = 26

// glyph is the shape of a letter on a grid of 7 rows and 5 columns. true means black.
type glyph [7][5]bool

// letterGlyphs returns the shapes of the letters a to z. The text below has three bands of seven lines. In a band, a
// new letter begins every seven characters.
func letterGlyphs() [letterCount]glyph {
	const bands = `
.....  #....  .....  ....#  .....  ..##.  .....  #....  ..#..
.....  #....  .....  ....#  .....  .#..#  .####  #....  .....
.###.  #.##.  .###.  .##.#  .###.  .#...  #...#  #.##.  .##..
....#  ##..#  #....  #..##  #...#  ###..  #...#  ##..#  ..#..
.####  #...#  #....  #...#  #####  .#...  .####  #...#  ..#..
#...#  #...#  #...#  #...#  #....  .#...  ....#  #...#  ..#..
.####  ####.  .###.  .####  .###.  .#...  .###.  #...#  .###.

...#.  #....  .##..  .....  .....  .....  .....  .....  .....
.....  #....  ..#..  .....  .....  .....  ####.  .####  .....
..##.  #..#.  ..#..  ##.#.  #.##.  .###.  #...#  #...#  #.##.
...#.  #.#..  ..#..  #.#.#  ##..#  #...#  #...#  #...#  ##..#
...#.  ##...  ..#..  #.#.#  #...#  #...#  ####.  .####  #....
#..#.  #.#..  ..#..  #...#  #...#  #...#  #....  ....#  #....
.##..  #..#.  .###.  #...#  #...#  .###.  #....  ....#  #....

.....  .#...  .....  .....  .....  .....  .....  .....
.....  .#...  .....  .....  .....  .....  #...#  .....
.###.  ###..  #...#  #...#  #...#  #...#  #...#  #####
#....  .#...  #...#  #...#  #...#  .#.#.  .####  ...#.
.###.  .#...  #...#  #...#  #.#.#  ..#..  ....#  ..#..
....#  .#..#  #..##  .#.#.  #.#.#  .#.#.  #...#  .#...
####.  ..##.  .##.#  ..#..  .#.#.  #...#  .###.  #####
`
	var glyphs [letterCount]glyph
	letter := 0
	for band := range strings.SplitSeq(strings.TrimSpace(bands), "\n\n") {
		lines := strings.Split(band, "\n")
		across := (len(lines[0]) + 2) / 7
		for row, line := range lines {
			for k := range across {
				for column := range 5 {
					glyphs[letter+k][row][column] = line[7*k+column] == '#'
				}
			}
		}
		letter += across
	}
	return glyphs
}
