package storetest

const clearTable = 256 // the code that empties the table

// LZW writes the format of the Unix program compress (see lzw.go in package store).
type LZW struct {
	Width    int  // largest width of a code, in bits
	Patience int  // number of codes after which a full table is emptied; 0: never
	Padding  byte // bit that fills the rest of an incomplete group of codes
}

// Pack returns content in the format of Unix compress.
func (f LZW) Pack(content string) string {
	out := []byte{0x1f, 0x9d, 0x80 | byte(f.Width)}
	width, end := 9, 0 // width of codes in bits, and number of bits written since the width last changed
	bit := func(b byte) {
		if end%8 == 0 {
			out = append(out, 0)
		}
		out[len(out)-1] |= b << (end % 8)
		end++
	}
	change := func(to int) {
		for end%(8*width) != 0 {
			bit(f.Padding)
		}
		width, end = to, 0
	}
	count := 0 // number of codes since the table was empty
	put := func(code int) {
		if count > 0 && width < f.Width && clearTable+count == 1<<width {
			change(width + 1)
		}
		for b := range width {
			bit(byte(code >> b & 1))
		}
		count++
	}
	table, code, late := map[[2]int]int{}, -1, 0
	for _, c := range []byte(content) {
		if code < 0 {
			code = int(c)
			continue
		}
		pair := [2]int{code, int(c)}
		if longer, ok := table[pair]; ok {
			code = longer
			continue
		}
		put(code)
		code = int(c)
		if free := clearTable + 1 + len(table); free < 1<<f.Width {
			table[pair] = free
			continue
		}
		if late++; late == f.Patience {
			put(clearTable)
			change(9)
			clear(table)
			count, late = 0, 0
		}
	}
	if code >= 0 {
		put(code)
	}
	return string(out)
}
