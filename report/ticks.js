// Ticks of logarithmic axes.
"use strict";

// logSplits returns the ticks of a logarithmic axis. They are at 1 to 9 times powers of ten, or only at powers of ten if the
// axis spans many decades, or at equal steps if it spans less than one.
function logSplits(min, max) {
	const decades = Math.log10(max / min), out = [];
	if (decades < .7) {
		const rough = (max - min) / 5, power = 10 ** Math.floor(Math.log10(rough)), step = [1, 2, 5, 10].find(m => m * power >= rough) * power;
		for (let k = Math.ceil(min / step); k * step <= max; k++) out.push(Number((k * step).toPrecision(12)));
		return out;
	}
	const every = Math.max(1, Math.ceil(decades / 9)), ones = decades > 6 ? [1] : [1, 2, 3, 4, 5, 6, 7, 8, 9];
	for (let k = Math.floor(Math.log10(min)); k <= Math.log10(max); k++) {
		for (const m of ones) {
			const v = Number(m + "e" + k);
			if (k % every === 0 && v >= min && v <= max) out.push(v);
		}
	}
	return out;
}

// isStrong reports whether a tick of a logarithmic axis has a label and a grid line.
function isStrong(v, splits) {
	const digits = new Set(splits.map(leading)), powers = splits.filter(s => leading(s) === 1).length;
	if (digits.size === 1 || !digits.has(1) && splits.length < 8 || splits.length < 7) return true;
	return leading(v) === 1 || powers < 3 && [2, 5].includes(leading(v));
}

// leading returns the first digit of a tick, or 0 if other digits follow.
function leading(v) {
	const m = v / 10 ** Math.floor(Math.log10(v) + 1e-9), r = Math.round(m);
	return Math.abs(m - r) < 1e-6 ? r : 0;
}
