//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// QR codes (ISO/IEC 18004) of texts, error correction level M, byte mode, versions 1 to 12: as long as the addresses of authenticator
// apps are. The key in such a code never leaves the page.

import { make, svg } from "../core/dom.js";

// For each version: error correction bytes a block, and the blocks as [number, data bytes each] (table 9, level M).
const versions = [
    [10, [1, 16]], [16, [1, 28]], [26, [1, 44]], [18, [2, 32]], [24, [2, 43]], [16, [4, 27]], [18, [4, 31]], [22, [2, 38], [2, 39]],
    [22, [3, 36], [2, 37]], [26, [4, 43], [1, 44]], [30, [1, 50], [4, 51]], [22, [6, 36], [2, 37]],
];
// Centres of the alignment patterns (table E.1).
const centres = [[], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50], [6, 30, 54], [6, 32, 58]];

// The field of 256 elements by x⁸+x⁴+x³+x²+1.
const exponents = [];
const logarithms = [];
for (let power = 0, value = 1; power < 255; power += 1) {
    exponents[power] = value;
    logarithms[value] = power;
    value = value & 0x80 ? (value << 1) ^ 0x11d : value << 1;
}
const times = (one, other) => (one === 0 || other === 0 ? 0 : exponents[(logarithms[one] + logarithms[other]) % 255]);

function generator(degree) {
    let polynomial = [1];
    for (let power = 0; power < degree; power += 1) {
        const next = new Array(polynomial.length + 1).fill(0);
        polynomial.forEach((coefficient, index) => {
            next[index] ^= coefficient;
            next[index + 1] ^= times(coefficient, exponents[power]);
        });
        polynomial = next;
    }
    return polynomial;
}

function correction(data, degree) {
    const divisor = generator(degree);
    const rest = [...data, ...new Array(degree).fill(0)];
    for (let index = 0; index < data.length; index += 1) {
        const factor = rest[index];
        if (factor !== 0) { divisor.forEach((coefficient, at) => { rest[index + at] ^= times(coefficient, factor); }); }
    }
    return rest.slice(data.length);
}

/** Data and error correction of all blocks, interleaved as they stand in the symbol. */
function codewords(bytes, version) {
    const [degree, ...groups] = versions[version - 1];
    const capacity = groups.reduce((sum, [number, length]) => sum + number * length, 0);
    const bits = [];
    const push = (value, length) => { for (let bit = length - 1; bit >= 0; bit -= 1) { bits.push((value >> bit) & 1); } };
    push(4, 4);
    push(bytes.length, version < 10 ? 8 : 16);
    bytes.forEach((byte) => push(byte, 8));
    push(0, Math.min(4, capacity * 8 - bits.length));
    while (bits.length % 8 !== 0) { bits.push(0); }
    const data = [];
    for (let at = 0; at < bits.length; at += 8) { data.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2)); }
    for (let pad = 0xec; data.length < capacity; pad ^= 0xec ^ 0x11) { data.push(pad); }
    const blocks = [];
    let from = 0;
    for (const [number, length] of groups) {
        for (let block = 0; block < number; block += 1) {
            blocks.push(data.slice(from, from + length));
            from += length;
        }
    }
    const corrections = blocks.map((block) => correction(block, degree));
    const woven = [];
    for (const [lists, length] of [[blocks, Math.max(...blocks.map((block) => block.length))], [corrections, degree]]) {
        for (let at = 0; at < length; at += 1) {
            for (const list of lists) { if (at < list.length) { woven.push(list[at]); } }
        }
    }
    return woven;
}

const masks = [
    (row, column) => (row + column) % 2 === 0, (row) => row % 2 === 0, (_, column) => column % 3 === 0, (row, column) => (row + column) % 3 === 0,
    (row, column) => (Math.floor(row / 2) + Math.floor(column / 3)) % 2 === 0, (row, column) => ((row * column) % 2) + ((row * column) % 3) === 0,
    (row, column) => (((row * column) % 2) + ((row * column) % 3)) % 2 === 0, (row, column) => (((row + column) % 2) + ((row * column) % 3)) % 2 === 0,
];

/** The remainder of a polynomial division over bits, for the format (BCH 15,5) and the version (BCH 18,6). */
function remainder(value, divisor, length) {
    const bits = Math.floor(Math.log2(divisor));
    let rest = value << bits;
    for (let bit = length + bits - 1; bit >= bits; bit -= 1) { if ((rest >> bit) & 1) { rest ^= divisor << (bit - bits); } }
    return rest;
}

function symbol(version, words, mask) {
    const size = 17 + 4 * version;
    const grid = Array.from({ length: size }, () => new Array(size).fill(null));
    const set = (row, column, isDark) => { if (row >= 0 && column >= 0 && row < size && column < size) { grid[row][column] = isDark; } };
    for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
        for (let row = -1; row <= 7; row += 1) {
            for (let column = -1; column <= 7; column += 1) {
                const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
                set(top + row, left + column, ring === 3 || ring <= 1);
            }
        }
    }
    const own = centres[version - 1];
    for (const row of own) {
        for (const column of own) {
            if (grid[row][column] !== null) { continue; }
            for (let down = -2; down <= 2; down += 1) {
                for (let right = -2; right <= 2; right += 1) { set(row + down, column + right, Math.max(Math.abs(down), Math.abs(right)) !== 1); }
            }
        }
    }
    for (let at = 8; at < size - 8; at += 1) {
        set(6, at, at % 2 === 0);
        set(at, 6, at % 2 === 0);
    }
    // Level M is 00.
    const format = ((mask << 10) | remainder(mask, 0x537, 5)) ^ 0x5412;
    for (let bit = 0; bit < 15; bit += 1) {
        const isDark = ((format >> bit) & 1) === 1;
        const vertical = bit < 6 ? bit : bit < 8 ? bit + 1 : size - 15 + bit;
        set(vertical, 8, isDark);
        const horizontal = bit < 8 ? size - 1 - bit : bit < 9 ? 7 : 14 - bit;
        set(8, horizontal, isDark);
    }
    set(size - 8, 8, true);
    if (version >= 7) {
        const bits = (version << 12) | remainder(version, 0x1f25, 6);
        for (let bit = 0; bit < 18; bit += 1) {
            const isDark = ((bits >> bit) & 1) === 1;
            set(Math.floor(bit / 3), size - 11 + (bit % 3), isDark);
            set(size - 11 + (bit % 3), Math.floor(bit / 3), isDark);
        }
    }
    let bit = 0;
    let isUp = true;
    for (let right = size - 1; right > 0; right -= 2) {
        if (right === 6) { right -= 1; }
        for (let step = 0; step < size; step += 1) {
            const row = isUp ? size - 1 - step : step;
            for (const column of [right, right - 1]) {
                if (grid[row][column] !== null) { continue; }
                const word = words[bit >> 3] ?? 0;
                grid[row][column] = (((word >> (7 - (bit & 7))) & 1) === 1) !== masks[mask](row, column);
                bit += 1;
            }
        }
        isUp = !isUp;
    }
    return grid;
}

/** How hard it is to read: the four rules of 7.8.3.1. */
function penalty(grid) {
    const size = grid.length;
    let points = 0;
    const lines = [...grid, ...grid.map((_, column) => grid.map((row) => row[column]))];
    for (const line of lines) {
        let run = 1;
        for (let at = 1; at <= size; at += 1) {
            if (at < size && line[at] === line[at - 1]) { run += 1; continue; }
            if (run >= 5) { points += run - 2; }
            run = 1;
        }
        const text = line.map((isDark) => (isDark ? 1 : 0)).join("");
        for (const pattern of ["10111010000", "00001011101"]) {
            for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) { points += 40; }
        }
    }
    let dark = 0;
    for (let row = 0; row < size; row += 1) {
        for (let column = 0; column < size; column += 1) {
            if (grid[row][column]) { dark += 1; }
            if (row + 1 < size && column + 1 < size && grid[row][column] === grid[row + 1][column] && grid[row][column] === grid[row][column + 1]
                && grid[row][column] === grid[row + 1][column + 1]) { points += 3; }
        }
    }
    return points + Math.floor(Math.abs((dark * 100) / (size * size) - 50) / 5) * 10;
}

/**
 * The modules of a QR code, row by row, without its quiet zone: true is dark.
 *
 * @throws RangeError when the text is longer than version 12 holds (287 bytes of UTF-8).
 */
export function modules(text) {
    const bytes = [...new TextEncoder().encode(text)];
    const version = versions.findIndex(([, ...groups], index) => {
        const capacity = groups.reduce((sum, [number, length]) => sum + number * length, 0);
        return bytes.length + (index < 9 ? 2 : 3) <= capacity;
    }) + 1;
    if (version === 0) { throw new RangeError("The text is too long for a QR code of version 12."); }
    const words = codewords(bytes, version);
    return masks.map((_, mask) => symbol(version, words, mask)).map((grid) => ({ grid, points: penalty(grid) }))
        .reduce((best, one) => (one.points < best.points ? one : best)).grid;
}

/** A drawing of it, with its quiet zone of four, dark on light whatever the page's colours are. */
export function qrCode(text, label) {
    const grid = modules(text);
    const size = grid.length + 8;
    const path = grid.flatMap((row, top) => row.map((isDark, left) => (isDark ? `M${left + 4} ${top + 4}h1v1h-1z` : ""))).join("");
    return make("div", { class: "qr" }, svg("svg", { viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": label, "shape-rendering": "crispEdges" },
        svg("rect", { width: size, height: size, fill: "#ffffff" }), svg("path", { d: path, fill: "#000000" })));
}
