// Writes a view as an SVG file: the layout of uPlot as paths and text, with the parameters of the view as metadata.
"use strict";

function svgOf(u, drawn, about) {
	const bar = 22, line = 15, width = Math.round(u.width), box = { x: u.bbox.left / uPlot.pxRatio, y: u.bbox.top / uPlot.pxRatio,
		w: u.bbox.width / uPlot.pxRatio, h: u.bbox.height / uPlot.pxRatio };
	const shown = drawn.filter(d => u.series[d.at].show), named = shown.filter((d, i) => shown.findIndex(o => o.s.label === d.s.label) === i);
	const top = about.title ? bar : 0, height = top + Math.round(u.height) + line * named.length + 8;
	const out = [];
	const text = (x, y, s, more = "") => out.push(`<text x="${round(x)}" y="${round(y)}" ${more}>${escapeXML(s)}</text>`);
	if (about.title) text(width / 2, 15, about.title, 'text-anchor="middle" font-weight="bold"');
	out.push(`<g transform="translate(0 ${top})">`);
	u.axes.forEach((axis, i) => {
		const values = axis._values || [], splits = axis._splits || [];
		splits.forEach((v, k) => {
			if (v === null || values[k] === null || values[k] === undefined) return;
			const at = u.valToPos(v, axis.scale);
			if (i === 0) {
				out.push(`<path d="M${round(box.x + at)} ${box.y}V${box.y + box.h}" stroke="#E4E4E4"/>`);
				if (values[k] !== "") text(box.x + at, box.y + box.h + 16, values[k], 'text-anchor="middle"');
			} else {
				out.push(`<path d="M${box.x} ${round(box.y + at)}H${box.x + box.w}" stroke="#E4E4E4"/>`);
				if (values[k] !== "") text(box.x - 6, box.y + at + 4, values[k], 'text-anchor="end"');
			}
		});
	});
	text(box.x + box.w / 2, u.height - 6, about.x, 'text-anchor="middle"');
	text(0, 0, about.y, `text-anchor="middle" transform="translate(13 ${round(box.y + box.h / 2)}) rotate(-90)"`);
	out.push(`<clipPath id="plot"><rect x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}"/></clipPath><g clip-path="url(#plot)" fill="none">`);
	const at = (s, x, y) => [round(box.x + u.valToPos(x, "x")), round(box.y + u.valToPos(y, "y"))];
	for (const [rank, { s, colour, dash }] of shown.entries()) {
		const path = (ys, back) => {
			const order = s.x.map((_, i) => i);
			if (back) order.reverse();
			return order.map(i => at(s, s.x[i], ys[i]).join(" ")).join("L");
		};
		if (s.low) out.push(`<path d="M${path(s.high)}L${path(s.low, true)}Z" fill="${colour}" fill-opacity=".18"/>`);
		if (!s.hollow) {
			out.push(`<path d="M${path(s.y)}" stroke="${colour}" stroke-width="1.6"${dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`);
		}
		if (!s.points && !s.bound && s.x.length > 1) {
			const { shape, open } = markerOf(s.hue, s.dash), strokes = shape === 4 || shape === 7;
			for (const [x, y] of markerPlaces(s.x.map((v, i) => at(s, v, s.y[i])), rank)) {
				out.push(`<path d="${markerPath(shape, x, y, 3.4)}" fill="${open ? "#FFFFFF" : colour}" stroke="${open || strokes ? colour : "#FFFFFF"}" stroke-width="${strokes ? 1.8 : open ? 1.2 : .6}"/>`);
			}
		}
		if (s.points || s.x.length === 1) {
			s.x.forEach((x, i) => {
				const [cx, cy] = at(s, x, s.y[i]);
				out.push(`<circle cx="${cx}" cy="${cy}" r="3" stroke="${colour}" fill="${s.hollow ? "#FFFFFF" : colour}"/>`);
			});
		}
	}
	out.push(`</g><rect x="${box.x}" y="${box.y}" width="${box.w}" height="${box.h}" fill="none" stroke="#555555" stroke-width=".8"/>`);
	named.forEach(({ s, colour, dash }, i) => {
		const y = Math.round(u.height) + line * i + 6;
		out.push(`<path d="M${box.x} ${y}h24" stroke="${colour}" stroke-width="1.6"${dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : ""}/>`);
		text(box.x + 30, y + 4, s.label);
	});
	out.push("</g>");
	return `<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="'Liberation Sans',Arial,Helvetica,sans-serif" font-size="11.5" fill="#222222" role="img">
<title>${escapeXML(about.title)}</title>
<desc>${escapeXML(about.text)}</desc>
<metadata>${escapeXML(JSON.stringify(about.parameters))}</metadata>
<rect width="${width}" height="${height}" fill="#FFFFFF"/>
${out.join("\n")}
</svg>
`;
}

function round(v) {
	return Math.round(v * 100) / 100;
}

function escapeXML(s) {
	return String(s).replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

// download lets the reader save a text as a file.
function download(name, text) {
	const a = document.createElement("a");
	a.href = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
	a.download = name;
	a.click();
	setTimeout(() => URL.revokeObjectURL(a.href), 1000);
}
