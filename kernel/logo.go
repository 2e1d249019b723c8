package kernel

// Logo is the kernel's icon in SVG: a primal and a dual curve that approach each other.
const Logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">
<title>gaplab</title>
<rect width="64" height="64" rx="10" fill="#fff"/>
<path d="M8 10C18 30 32 33 56 34" fill="none" stroke="#0063a6" stroke-width="5" stroke-linecap="round"/>
<path d="M8 58C18 42 32 39 56 38" fill="none" stroke="#e69f00" stroke-width="5" stroke-linecap="round"/>
</svg>
`
