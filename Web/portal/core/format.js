//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Numbers, amounts, moments and names as people read them. Amounts are decimal texts from the server and never become floating
// point: digits are grouped as whole numbers.

import { make } from "./dom.js";
import { language, say } from "./words.js";
import { zone } from "./state.js";

const cache = new Map();

function formatter(kind, options) {
    const key = `${kind} ${language()} ${JSON.stringify(options)}`;
    return cache.get(key) ?? cache.set(key, new Intl[kind](language(), options)).get(key);
}

/** The decimal separator of the language. */
export const decimalSign = () => formatter("NumberFormat", {}).formatToParts(1.5).find(({ type }) => type === "decimal").value;

/** "1234.50" as "1,234.50", "1.234,50"…, with as many decimals as it has. */
export function decimal(text) {
    const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text);
    if (!match) { return String(text); }
    const [, sign, whole, fraction] = match;
    const grouped = formatter("NumberFormat", { maximumFractionDigits: 0 }).format(BigInt(whole));
    return (sign ? "\u2212" : "") + grouped + (fraction === undefined ? "" : decimalSign() + fraction);
}

/** "1,234.50 USD". */
export const amountText = (value, currency) => `${decimal(value)}\u00a0${currency}`;

/** An amount to be read down a column: tabular figures, the currency quieter. */
export const money = (value, currency) =>
    make("span", { class: "money" }, decimal(value), "\u00a0", make("span", { class: "currency" }, currency));

/** A decimal text in the smallest units that it has: `{ units: 4250n, digits: 2 }`. */
export function units(text) {
    const [whole, fraction = ""] = String(text).split(".");
    return { units: BigInt(whole + fraction), digits: fraction.length };
}

/** The decimal text of smallest units: (4250n, 2) is "42.50". */
function decimalOf(value, digits) {
    const negative = value < 0n;
    const all = String(negative ? -value : value).padStart(digits + 1, "0");
    const text = digits === 0 ? all : `${all.slice(0, -digits)}.${all.slice(-digits)}`;
    return negative ? `-${text}` : text;
}

/** Whether one decimal text of a currency is more than another of it: -1, 0 or 1. */
export function compare(one, other) {
    const [left, right] = [units(one), units(other)];
    const digits = Math.max(left.digits, right.digits);
    const scaled = (value) => value.units * 10n ** BigInt(digits - value.digits);
    return scaled(left) === scaled(right) ? 0 : scaled(left) < scaled(right) ? -1 : 1;
}

function added(one, other, sign) {
    const [left, right] = [units(one), units(other)];
    const digits = Math.max(left.digits, right.digits);
    const scaled = (value) => value.units * 10n ** BigInt(digits - value.digits);
    return decimalOf(scaled(left) + sign * scaled(right), digits);
}

/** `one - other` as a decimal text. */
export const minus = (one, other) => added(one, other, -1n);

/** `one + other` as a decimal text. */
export const plus = (one, other) => added(one, other, 1n);

/** How many decimals a currency has, by an amount of it. */
export const digitsOf = (text) => units(text).digits;

export const count = (value) => formatter("NumberFormat", { maximumFractionDigits: 0 }).format(value);

/** The same where there may be more than were counted: "1,000+". */
export const countFrom = (value, isCut) => (isCut ? say("frame.atLeast", { number: count(value) }) : count(value));

/** "97.2 %" of a share from 0 to 1. */
export const percent = (share, digits = 1) =>
    formatter("NumberFormat", { style: "percent", minimumFractionDigits: digits, maximumFractionDigits: digits }).format(share);

/** "38 ms", "1.2 s", "4 min". */
export function duration(millis) {
    const number = (value, digits) => formatter("NumberFormat", { maximumFractionDigits: digits }).format(value);
    if (millis < 1000) { return `${number(millis, 0)}\u00a0ms`; }
    if (millis < 60_000) { return `${number(millis / 1000, 1)}\u00a0s`; }
    if (millis < 3_600_000) { return `${number(millis / 60_000, 0)}\u00a0min`; }
    return `${number(millis / 3_600_000, 0)}\u00a0h`;
}

/** "in 3 days", "2 minutes ago". */
export function relative(moment, now = Date.now()) {
    const seconds = (Date.parse(moment) - now) / 1000;
    const steps = [["day", 86_400], ["hour", 3_600], ["minute", 60], ["second", 1]];
    const [unit, length] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? steps.at(-1);
    return formatter("RelativeTimeFormat", { numeric: "auto" }).format(Math.trunc(seconds / length), unit);
}

/** Whole days from now on; negative when it is over. */
export const daysUntil = (moment, now = Date.now()) => Math.floor((Date.parse(moment) - now) / 86_400_000);

const clock = { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" };
const shapes = {
    time: clock,
    millis: { ...clock, fractionalSecondDigits: 3 },
    minute: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    day: { year: "numeric", month: "short", day: "numeric" },
    dayTime: { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
    full: { year: "numeric", month: "short", day: "numeric", ...clock },
    short: { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
};

/** A moment's text in a zone. `shape`: time, millis, minute, day, dayTime, full or short. */
export const momentText = (moment, shape = "dayTime", timeZone = zone()) =>
    formatter("DateTimeFormat", { ...shapes[shape], timeZone }).format(new Date(moment));

const utcText = (moment) => `${new Date(moment).toISOString().replace("T", " ").replace(/(\.000)?Z$/, "")} UTC`;

/** A moment as an element: in the merchant's zone, in UTC on hover. `shape` may be "smart": the time today, else the date too. */
export function moment(value, shape = "dayTime", timeZone = zone()) {
    if (!value) { return make("span", { class: "muted" }, "–"); }
    const chosen = shape !== "smart" ? shape : dayOf(value, timeZone) === dayOf(Date.now(), timeZone) ? "time" : "short";
    return make("time", { datetime: new Date(value).toISOString(), title: utcText(value) }, momentText(value, chosen, timeZone));
}

/** The calendar day of a moment in a zone: "2026-11-23". */
export function dayOf(value, timeZone = zone()) {
    const parts = Object.fromEntries(new Intl.DateTimeFormat("en-CA", {
        timeZone, year: "numeric", month: "2-digit", day: "2-digit",
    }).formatToParts(new Date(value)).map(({ type, value: text }) => [type, text]));
    return `${parts.year}-${parts.month}-${parts.day}`;
}

/** The moment at which a calendar day begins in a zone, as RFC 3339 in UTC. */
export function startOfDay(day, timeZone = zone()) {
    const midnight = Date.parse(`${day}T00:00:00Z`);
    // By the zone's distance from UTC before and after any change of clocks; no zone is further from UTC than 14 hours. Where clocks go
    // forward from midnight, the one by the later distance shows the day before.
    const starts = [-26, 26].map((hours) => midnight - zoneOffset(midnight + hours * 3_600_000, timeZone));
    const own = starts.filter((start) => dayOf(start, timeZone) === day);
    return new Date(Math.min(...(own.length > 0 ? own : starts))).toISOString().replace(".000Z", "Z");
}

function zoneOffset(at, timeZone) {
    const parts = Object.fromEntries(new Intl.DateTimeFormat("en-US", {
        timeZone, year: "numeric", month: "2-digit", day: "2-digit", ...clock,
    }).formatToParts(new Date(at)).map(({ type, value }) => [type, Number(value)]));
    return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second) - Math.trunc(at / 1000) * 1000;
}

/** Whether a text is a calendar day, as addresses have them: "2026-11-23", and not "2026-13-45". */
export function isDay(text) {
    const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
    return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A day some days later or earlier. */
export const dayAfter = (day, days = 1) => new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

/** A calendar day without a zone: "Nov 23, 2026". */
export const dayText = (day, shape = { year: "numeric", month: "short", day: "numeric" }) =>
    formatter("DateTimeFormat", { ...shape, timeZone: "UTC" }).format(new Date(`${day}T00:00:00Z`));

/** The zone's name, to be said once a page: "Australia/Melbourne". */
export const zoneName = (timeZone = zone()) => timeZone.replaceAll("_", " ");

const idHead = 8;
const idTail = 4;

/** An id shortened in its middle: "pay_01M8…3F9C". */
export const shortID = (id) => (id.length <= idHead + idTail + 3 ? id : `${id.slice(0, idHead)}…${id.slice(-idTail)}`);

/** The parts of a list as a sentence: "a, b and c". */
export const list = (parts) => formatter("ListFormat", { type: "conjunction" }).format(parts);

/** Nothing of a card but what may be shown: the last four behind two dots. */
export const cardEnd = (accountNumber) => `••${accountNumber.slice(-4)}`;
