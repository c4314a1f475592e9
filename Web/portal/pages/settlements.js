//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Acquirers' settlement files: imported, matched with the ledger, and their differences resolved.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { amountText, count, dayOf, dayText, decimal, moment, money, shortID } from "../core/format.js";
import { backTo, href, navigate, refresh, setQuery } from "../core/router.js";
import { can, chosenMerchant, merchantNamed, modeOf } from "../core/state.js";
import { say } from "../core/words.js";
import { button, empty, facts, identifier, note, page, section, toast } from "../widgets/basics.js";
import { exportButton } from "../widgets/acts.js";
import { dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { pagedList, table } from "../widgets/table.js";
import { actorText, follows, pathOf, sizeText, whoseIsIt } from "./shared/parts.js";
import { headOf, parts } from "./reports.js";

/** The days of a file in its merchant's zone: the first and the last. */
export function daysOf({ merchant, from, to }) {
    const zone = merchantNamed(merchant)?.timeZone ?? "UTC";
    return { first: dayOf(from, zone), last: dayOf(Date.parse(to) - 1, zone) };
}

function daysText(file) {
    const { first, last } = daysOf(file);
    return first === last ? dayText(first) : `${dayText(first)} – ${dayText(last)}`;
}

const verdictTones = { matched: "done", fee: "done", amountDiffers: "refused", settledBefore: "refused", missingInLedger: "refused", missingInFile: "unknown", failedLate: "done" };

/** How much of a file is booked whose import was cut off, or is still going on; nothing for one that is whole. */
const incompleteText = ({ incomplete }) => incomplete && say("reports.incomplete", { count: incomplete.lines, booked: count(incomplete.bookedLines), lines: count(incomplete.lines) });

/** The files, and what is open in all of them. */
export async function list({ query, signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("reports.settlements"), say("reports.settlementsLead")); }
    const [{ data, next }, open, { data: accounts }] = await Promise.all([
        api.get("/settlements", { merchant: merchant.name, after: query.get("after"), limit: 50 }, { signal }),
        api.get("/settlement-differences", { merchant: merchant.name, limit: 100 }, { signal }),
        can("acquirers:read") ? api.get(pathOf(merchant, "/acquirers"), {}, { signal }) : { data: [] },
    ]);
    const mayImport = can("reports:write") && accounts.length > 0;
    const importButton = () => button(say("reports.import"), () => importDialog(merchant, accounts), { kind: "primary" });
    const cutOff = data.some(({ incomplete }) => incomplete);
    return page(headOf(merchant, { actions: mayImport && data.length > 0 ? [importButton()] : [] }), parts("/reports/settlements"),
        open.data.length > 0 && section(say("reports.openDifferences"), { note: noteOf(open) }, differenceTable(open.data, { isOpen: true })),
        section(say("reports.importedFiles"), {}, cutOff && note("unknown", say("reports.incompleteText")), table({
            caption: say("reports.importedFiles"), rows: data, href: ({ id }) => href(`/reports/settlements/${id}`),
            empty: empty(say("reports.noFiles"), say("reports.noFilesText"), mayImport && importButton()),
            columns: [
                { name: "name", title: say("reports.file"), cell: (one) => (one.incomplete ? make("span", { class: "two-lines" }, make("strong", { class: "wrap" }, one.name), mark("open", { word: incompleteText(one) })) : make("strong", { class: "wrap" }, one.name)), phone: "first" },
                { name: "acquirer", title: say("reports.account"), cell: ({ acquirer }) => acquirer, phone: "second" },
                { name: "days", title: say("reports.days"), cell: daysText, phone: "second-end" },
                { name: "lines", title: say("reports.lines"), align: "end", cell: ({ lines }) => count(lines), phone: "first-end" },
                { name: "at", title: say("reports.importedAt"), cell: ({ importedAt }) => moment(importedAt, "dayTime"), quiet: true, phone: "none" },
                { name: "by", title: say("reports.importedBy"), cell: ({ importedBy }) => actorText(importedBy), quiet: true, phone: "none" },
            ],
        }), next && button(say("reports.older"), () => setQuery({ after: next }), { small: true })));
}

/** How many are open; where there are more than are shown, that. */
const noteOf = ({ data, next }) => say(next ? "reports.differencesShown" : "reports.differencesNote", { count: data.length });

/** One file: what differs first, then all of its lines. */
export async function file({ parameters, query, signal }) {
    const path = `/settlements/${encodeURIComponent(parameters.file)}`;
    const [settled, open] = await Promise.all([api.get(path, {}, { signal }), api.get(`${path}/items`, { open: "true", limit: 100 }, { signal })]);
    if (follows(settled.merchant, signal, () => "/reports/settlements", { keepsAll: true })) { return make("div"); }
    const load = (after) => api.get(`${path}/items`, { open: query.get("open"), after, limit: 50 }, { signal });
    const content = page({
        title: settled.name, back: { href: backTo("/reports/settlements"), text: say("reports.settlements") },
        lead: make("span", { class: "marks" }, modeTag(modeOf(settled.merchant)), `${settled.merchant} · ${settled.acquirer}`, settled.open > 0 ? mark("open", { word: say("reports.openCount", { count: settled.open }) }) : mark("done", { tone: "done", word: say("reports.allSettled") })),
        actions: [exportButton("settlement", () => ({ file: settled.id }))],
    },
    settled.incomplete && note("unknown", make("p", {}, make("strong", {}, incompleteText(settled))), make("p", {}, say("reports.incompleteText"))),
    open.data.length > 0 && section(say("reports.openDifferences"), { note: noteOf(open) }, differenceTable(open.data, { isOpen: true })),
    section(say("reports.verdicts"), {}, make("ul", { class: "verdicts" }, Object.entries(settled.counts ?? {}).filter(([, number]) => number > 0).map(([verdict, number]) =>
        make("li", {}, mark("done", { tone: verdictTones[verdict], word: say(`reports.verdict_${verdict}`) }), make("strong", {}, count(number)))))),
    section(say("reports.allLines"), {}, pagedList({ load, show: (rows) => differenceTable(rows, {}), tried: say("reports.tried") })),
    section(say("reports.facts"), {}, facts([
        [say("reports.days"), daysText(settled)], [say("reports.mapping"), settled.mapping],
        [say("reports.lines"), count(settled.lines)], [say("reports.importedAt"), moment(settled.importedAt, "full")], [say("reports.importedBy"), actorText(settled.importedBy)],
        [say("reports.id"), identifier(settled.id)],
    ])));
    content.ofMode = modeOf(settled.merchant);
    return content;
}

/** Lines of files beside what the ledger says of them. */
export function differenceTable(rows, { isOpen = false }) {
    const mayResolve = isOpen && can("reports:write");
    return table({
        caption: say(isOpen ? "reports.openDifferences" : "reports.allLines"), rows,
        empty: empty(say("reports.noLines"), say("reports.noLinesText")),
        columns: [
            { name: "verdict", title: say("reports.finding"), cell: (item) => mark("open", { tone: item.resolution ? "done" : verdictTones[item.verdict] ?? "unknown", word: item.resolution && item.verdict !== "failedLate" ? say(`reports.resolved_${item.resolution}`) : say(`reports.verdict_${item.verdict}`) }), phone: "first" },
            { name: "date", title: say("reports.day"), cell: ({ date }) => (date ? dayText(date) : "–"), phone: "none" },
            { name: "what", title: say("reports.line"), cell: (item) => make("span", { class: "two-lines" }, make("span", {}, say(`reports.line_${item.kind}`)), make("code", { class: "muted", title: item.reference }, shortID(item.reference))), phone: "second" },
            { name: "ledger", title: say("reports.ledgerSays"), align: "end", cell: ({ ledgerAmount }) => (ledgerAmount === "" ? "–" : decimal(ledgerAmount)), phone: "none" },
            { name: "bank", title: say("reports.bankSays"), align: "end", cell: ({ amount, verdict }) => (verdict === "missingInFile" || verdict === "failedLate" ? "–" : decimal(amount)), phone: "none" },
            { name: "difference", title: say("reports.difference"), align: "end", cell: ({ difference, currency }) => make("strong", {}, money(difference, currency)), phone: "first-end" },
            { name: "payment", title: say("reports.payment"), cell: ({ payment }) => (payment ? identifier(payment, { link: href(`/payments/${payment}`) }) : "–"), phone: "none" },
            ...(mayResolve ? [{ name: "act", title: say("reports.act"), cell: (item) => button(say("reports.resolve"), () => resolveDialog(item), { small: true, label: say("reports.resolveThat", { reference: item.reference }) }), phone: "second-end" }] : []),
        ],
    });
}

function resolveDialog(item) {
    let opened;
    const [file, number] = item.item.split("/");
    const amount = amountText(item.difference.replace(/^-/, ""), item.currency);
    const isLess = item.difference.startsWith("-");
    const body = [
        make("p", { class: "sentence" }, say(isLess ? "reports.resolveLess" : "reports.resolveMore", { amount, reference: item.reference })),
        form({
            fields: [
                { name: "decision", label: say("reports.decision"), kind: "radio", required: true, options: ["theirs", "ours", "fee", "written-off"].map((name) => [name, say(`reports.decide_${name}`), say(`reports.decide_${name}Text`, { amount })]) },
                { name: "reason", label: say("reports.reason"), hint: say("reports.reasonHelp"), required: true, maxlength: 255 },
            ],
            submit: say("reports.resolveDo"), cancel: () => opened.close(),
            onSubmit: async (values, { key }) => {
                await api.post(`/settlements/${encodeURIComponent(file)}/items/${number}/resolve`, values, { key });
                opened.close();
                toast(say("reports.resolved"));
                refresh();
            },
        }),
    ];
    opened = dialog({ title: say("reports.resolveTitle"), body });
}

const fileBytesMax = 8 * 1024 ** 2;

/** Bytes as Base64, in pieces that an argument list can hold. */
function base64(bytes) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += 0x8000) { pieces.push(String.fromCharCode(...bytes.subarray(at, at + 0x8000))); }
    return btoa(pieces.join(""));
}

async function importDialog(merchant, accounts) {
    const { data: mappings } = await api.get("/settlement-mappings");
    let opened;
    let chosen = null;
    const about = make("p", { class: "muted", "aria-live": "polite" });
    const picker = make("input", { type: "file", class: "file", "aria-label": say("reports.file"), accept: ".csv,.txt,text/csv", change: () => {
        chosen = picker.files[0] ?? null;
        refill(about, chosen ? `${chosen.name} · ${sizeText(chosen.size)}` : "");
    } });
    const own = form({
        fields: [
            { name: "file", kind: "custom", label: say("reports.file"), hint: say("reports.fileHelp"), required: true, node: make("div", {}, picker, about), isGroup: true, read: () => chosen?.name },
            { name: "acquirer", label: say("reports.account"), kind: "choice", required: true, options: accounts.map(({ name, connector }) => [name, `${name} (${connector})`]), value: accounts.length === 1 ? accounts[0].name : undefined },
            { name: "mapping", label: say("reports.mapping"), hint: say("reports.mappingHelp"), kind: "choice", required: true, options: [...mappings.map(({ name }) => [name, name]), ["own", say("reports.mappingOwn")]], value: mappings.find(({ name }) => name === accounts[0]?.connector)?.name },
            { name: "own", label: say("reports.mappingJSON"), hint: say("reports.mappingJSONHelp"), kind: "textarea", mono: true, rows: 6 },
            { name: "from", label: say("reports.from"), hint: say("reports.importDaysHelp"), kind: "date" },
            { name: "to", label: say("reports.to"), kind: "date" },
        ],
        submit: say("reports.importDo"), cancel: () => opened.close(),
        onSubmit: async ({ acquirer, mapping, own: text, from, to }, { key }) => {
            if (chosen.size > fileBytesMax) { own.setError("file", say("reports.fileTooLarge")); return; }
            let read = mapping;
            if (mapping === "own") {
                try {
                    read = JSON.parse(text ?? "");
                } catch {
                    own.setError("own", say("reports.noJSON"));
                    return;
                }
            }
            const answer = await api.post(pathOf(merchant, "/settlements"), {
                acquirer, name: chosen.name, mapping: read, base64: base64(new Uint8Array(await chosen.arrayBuffer())), from, to,
            }, { key });
            opened.close();
            toast(say(answer.repeated ? "reports.importedBefore" : "reports.importedNow", { count: answer.differences }), { tone: answer.differences > 0 ? "unknown" : "done" });
            navigate(`/reports/settlements/${answer.file.id}`);
        },
    });
    const ownField = own.field("own").closest(".field");
    const toggle = () => { ownField.hidden = own.field("mapping").value !== "own"; };
    own.field("mapping").addEventListener("change", toggle);
    toggle();
    opened = dialog({ mode: merchant.mode, title: say("reports.import"), body: [make("p", {}, say("reports.importText")), note("info", say("reports.importOnce")), own], wide: true });
}

