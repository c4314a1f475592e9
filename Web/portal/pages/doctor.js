//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What is wrong, why it matters, what to do; and what was wrong before.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { moment, relative } from "../core/format.js";
import { listen } from "../core/listening.js";
import { href, leadsSomewhere, refresh, setQuery } from "../core/router.js";
import { can, houseMode, state } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { exportButton } from "../widgets/acts.js";
import { button, empty, english, note, page, section, toast } from "../widgets/basics.js";
import { confirm } from "../widgets/dialog.js";
import { mark } from "../widgets/marks.js";
import { pagedList, table } from "../widgets/table.js";
import { tabs } from "./shared/parts.js";

const parts = (current) => tabs(say("doctor.title"), [["/doctor", say("doctor.findings")], ["/doctor/alarms", say("doctor.alarms")]], current);

const severities = ["failure", "warning", "notice", "good"];
const tones = { failure: "refused", warning: "unknown", notice: "pending", good: "done" };

/** Where what is found is mended. */
const places = {
    certificate: "/apple-pay", apple: "/apple-pay", domain: "/apple-pay/domains", acquirer: "/accounts", route: "/routes", webhooks: "/webhooks", audit: "/audit", merchant: "/merchants",
    operations: "/payments?outcome=unknown",
};

/** Findings, the worst first. */
export async function findings({ query, signal }) {
    const asks = query.get("ask") === "1";
    const { data } = await api.get("/findings", { merchant: state.merchant, offline: asks ? "false" : "true" }, { signal });
    const bad = data.filter(({ severity }) => severity !== "good");
    const good = data.filter(({ severity }) => severity === "good");
    const worst = severities.find((severity) => data.some((finding) => finding.severity === severity)) ?? "good";
    return page({
        title: say("doctor.title"), lead: say("doctor.lead"),
        actions: [button(say("doctor.ask"), () => setQuery({ ask: asks ? null : "1" }), { kind: asks ? "" : "primary" })].slice(0, asks ? 0 : 1),
    }, parts("/doctor"),
    note(worst === "failure" ? "refused" : worst === "warning" ? "unknown" : "done", make("strong", {}, say(`doctor.worst_${worst}`)), " ", say(asks ? "doctor.asked" : "doctor.notAsked")),
    severities.slice(0, 3).map((severity) => group(severity, bad.filter((finding) => finding.severity === severity))),
    good.length > 0 && section(say("doctor.good", { count: good.length }), {}, make("ul", { class: "plain-list goods" }, good.map((finding) => make("li", {}, mark("done", { tone: "done", word: sayOr(`doctor.area_${finding.area}`, finding.area) }), " ", english(finding.text))))));
}

function group(severity, list) {
    if (list.length === 0) { return null; }
    return section(say(`doctor.severity_${severity}`), { note: say(`doctor.severity_${severity}Text`) }, make("ul", { class: "findings-list" }, list.map(findingItem)));
}

function findingItem(finding) {
    const place = places[finding.area];
    const [path, search] = (place ?? "").split("?");
    const isWhere = place && leadsSomewhere(path) && (!finding.merchant || state.merchants.some(({ name }) => name === finding.merchant));
    const to = isWhere ? href(finding.area === "merchant" && finding.merchant ? `/merchants/${finding.merchant}` : path, { ...Object.fromEntries(new URLSearchParams(search ?? "")), merchant: finding.area === "merchant" ? null : finding.merchant }) : null;
    return make("li", { class: `finding tone-${tones[finding.severity]}` },
        make("div", { class: "finding-head" }, mark(finding.severity, { tone: tones[finding.severity], word: sayOr(`doctor.area_${finding.area}`, finding.area) }),
            make("span", { class: "muted wrap" }, [finding.merchant, finding.subject].filter(Boolean).join(" · ")), make("code", { class: "muted" }, finding.code)),
        english(finding.text, "p", { class: "finding-text" }),
        make("dl", { class: "why" }, make("div", {}, make("dt", {}, say("doctor.why")), make("dd", {}, english(finding.reason))),
            finding.advice && make("div", {}, make("dt", {}, say("doctor.what")), make("dd", {}, english(finding.advice)))),
        to && make("a", { class: "button small", href: to }, make("span", {}, say("doctor.go"))));
}

/** Alarms: those that stand, then all. */
export async function alarms({ signal }) {
    const standing = await api.getAll("/alarms", { standing: "true" }, { signal });
    const history = pagedList({
        load: (after) => api.get("/alarms", { after, limit: 50 }, { signal }), tried: say("doctor.alarmsTried"),
        show: (rows) => table({
            caption: say("doctor.history"), rows, empty: empty(say("doctor.noAlarms"), say("doctor.noAlarmsText")),
            columns: [
                { name: "kind", title: say("doctor.kind"), cell: ({ kind, endedAt }) => mark(endedAt ? "ended" : "begun", { word: sayOr(`doctor.kind_${kind}`, kind) }), phone: "first" },
                { name: "alarm-subject", title: say("doctor.subject"), cell: ({ subject }) => make("span", { class: "wrap" }, subject), phone: "second" },
                { name: "text", title: say("doctor.said"), cell: ({ text }) => english(text), phone: "none", wide: true },
                { name: "begun", title: say("doctor.begun"), cell: ({ begunAt }) => moment(begunAt, "smart"), phone: "second-end" },
                { name: "ended", title: say("doctor.ended"), cell: ({ endedAt }) => (endedAt ? moment(endedAt, "smart") : make("strong", {}, say("doctor.stillOn"))), phone: "first-end" },
            ],
        }),
    });
    listen(signal, ({ event }) => { if (event === "alarm") { history.news(); } });
    return page({ title: say("doctor.title"), lead: say("doctor.alarmsLead"), zone: true, actions: [exportButton("alarms", () => ({}))] }, parts("/doctor/alarms"),
        standing.length === 0 ? note("done", say("doctor.noneStands")) : section(say("doctor.standing"), {}, make("ul", { class: "findings-list" }, standing.map(alarmItem))),
        section(say("doctor.history"), {}, history));
}

function alarmItem(alarm) {
    const kind = sayOr(`doctor.kind_${alarm.kind}`, alarm.kind);
    const end = async () => {
        const ended = await confirm({
            mode: houseMode(), title: say("doctor.endTitle", { kind }), sentence: say("doctor.endText", { kind, subject: alarm.subject }), act: say("doctor.endDo"),
            run: (key) => api.post(`/alarms/${encodeURIComponent(alarm.id)}/end`, undefined, { key }),
        });
        if (ended) { toast(say("doctor.endDone", { kind })); refresh(); }
    };
    return make("li", { class: `finding tone-${tones[alarm.severity]}` },
        make("div", { class: "finding-head" }, mark(alarm.severity, { tone: tones[alarm.severity], word: kind }), make("span", { class: "muted wrap" }, alarm.subject), make("span", { class: "muted" }, say("doctor.since", { when: relative(alarm.begunAt) }))),
        english(alarm.text, "p", { class: "finding-text" }), alarm.advice && make("dl", { class: "why" }, make("div", {}, make("dt", {}, say("doctor.what")), make("dd", {}, english(alarm.advice)))),
        can("system:write") && button(say("doctor.end"), end, { small: true, label: say("doctor.endThat", { kind, subject: alarm.subject }) }));
}

