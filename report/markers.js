// The markers on curves. They have the shapes and the order of the markers in figures (lookOf and shapeOf in package plots).
"use strict";

const shapes = 8; // number of the shapes of markers on curves
const markerGap = 90; // distance between the markers of a curve, in pixels

// markerOf returns the number of the shape for a hue and a dash, and whether the marker is open.
function markerOf(hue, dash) {
	dash %= dashes.length;
	return { shape: (hue % palette.light.length + 3 * Math.floor(dash / 2)) % shapes, open: dash % 2 === 1 };
}

// outlineOf returns the corners of a shape around the origin, for a radius of 1: a list of closed lines, or of open lines
// if the shape consists of strokes. The circle has no corners.
function outlineOf(shape) {
	const polygon = (n, r, turn) => [Array.from({ length: n }, (_, i) => {
		const a = turn + 2 * Math.PI * i / n;
		return [r * Math.cos(a), r * Math.sin(a)];
	})];
	switch (shape) {
	case 1: return polygon(4, 1.25, Math.PI / 4);
	case 2: return polygon(3, 1.5, -Math.PI / 2);
	case 3: return polygon(4, 1.35, 0);
	case 4: return [[[-1, -1], [1, 1]], [[-1, 1], [1, -1]]];
	case 5: return polygon(5, 1.15, -Math.PI / 2);
	case 6: return polygon(3, 1.5, 0);
	case 7: return [[[-1.3, 0], [1.3, 0]], [[0, -1.3], [0, 1.3]]];
	}
	return [];
}

// markerPath returns a marker as the data of an SVG path.
function markerPath(shape, x, y, r) {
	if (shape === 0) return `M${round(x - r)} ${round(y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
	return outlineOf(shape).map(line => "M" + line.map(([a, b]) => round(x + r * a) + " " + round(y + r * b)).join("L") + (line.length > 2 ? "Z" : "")).join("");
}

// markerPlaces returns the places of markers on a curve, about markerGap pixels apart. Curves begin at different places, so
// that the markers of lines that coincide do not cover each other. points lists the places of the curve, in pixels.
function markerPlaces(points, rank) {
	if (points.length < 2) return points;
	const out = [];
	let left = markerGap * (.25 + .37 * rank % 1);
	for (let i = 1; i < points.length; i++) {
		const [x0, y0] = points[i - 1], [x1, y1] = points[i], length = Math.hypot(x1 - x0, y1 - y0);
		if (length > 1e4) continue; // the segment leaves the picture
		let at = left;
		for (; at <= length; at += markerGap) out.push([x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length]);
		left = at - length;
	}
	return out.length > 0 ? out : [points[points.length - 1]];
}

// drawMarkers draws the markers of all visible curves of a plot.
function drawMarkers(u, drawn, paper) {
	const c = u.ctx, ratio = uPlot.pxRatio;
	c.save();
	c.beginPath();
	c.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
	c.clip();
	c.setLineDash([]);
	drawn.forEach(({ s, colour, at }, rank) => {
		if (s.bound || s.points || !u.series[at].show) return;
		const points = s.x.map((x, i) => [u.valToPos(x, "x", true), u.valToPos(s.y[i], "y", true)]).filter(p => p.every(Number.isFinite));
		const { shape, open } = markerOf(s.hue, s.dash);
		for (const [x, y] of markerPlaces(points.map(p => p.map(v => v / ratio)), rank)) {
			const path = new Path2D(markerPath(shape, x * ratio, y * ratio, 3.6 * ratio)), strokes = shape === 4 || shape === 7;
			c.lineWidth = (strokes ? 2 : open ? 1.4 : .8) * ratio;
			c.fillStyle = open ? paper : colour;
			c.strokeStyle = strokes || open ? colour : paper;
			if (!strokes) c.fill(path);
			c.stroke(path);
		}
	});
	c.restore();
}
