//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The domains on which a merchant shows Apple Pay: the file that Apple fetches, and what comes of fetching it.

import * as api from "../core/api.js";
import { make, refill } from "../core/dom.js";
import { moment, relative } from "../core/format.js";
import { refresh } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { button, copyButton, empty, english, facts, note, page, problem, toast } from "../widgets/basics.js";
import { confirm, dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { mark, modeTag } from "../widgets/marks.js";
import { parts } from "./apple-pay.js";
import { pathOf, whoseIsIt } from "./shared/parts.js";

export const filePath = "/.well-known/apple-developer-merchantid-domain-association";

export async function show({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("apple.domains"), say("apple.domainsLead")); }
    const data = await api.getAll(pathOf(merchant, "/domains"), {}, { signal });
    const mayChange = can("apple-pay:write");
    const add = (kind) => button(say("apple.addDomain"), () => addDialog(merchant), { kind, icon: "plus" });
    return page({
        title: say("apple.title"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)),
        actions: mayChange && data.length > 0 ? [add("primary")] : [],
    }, parts("/apple-pay/domains"), make("p", {}, say("apple.domainsLead")),
    data.length === 0 ? empty(say("apple.noDomains"), say("apple.noDomainsText"), mayChange && add("primary"))
        : make("ul", { class: "cards" }, data.map((domain) => domainCard(merchant, domain, mayChange))));
}

function domainCard(merchant, domain, mayChange) {
    const path = pathOf(merchant, `/domains/${encodeURIComponent(domain.host)}`);
    const place = make("div", { class: "domain-state", "aria-live": "polite" });
    const describe = ({ check }) => refill(place,
        check === null ? make("p", { class: "muted" }, say("apple.neverChecked"))
            : [
                english(check.text, "p"),
                !check.good && check.action && note("refused", english(check.action)),
                make("p", { class: "muted" }, say("apple.checkedAt"), " ", moment(check.at, "smart"), ` · ${relative(check.at)}`),
            ]);
    const sign = make("span", {});
    const stand = ({ check }) => refill(sign, check === null ? mark("pending", { word: say("apple.notChecked") })
        : mark(check.good ? "good" : "bad", { word: say(check.good ? "apple.domainGood" : "apple.domainBad") }));
    const check = button(say("apple.checkNow"), async () => {
        try {
            const now = await api.post(`${path}/check`);
            describe(now);
            stand(now);
        } catch (error) {
            refill(place, problem(error, { tried: say("apple.checkTried", { host: domain.host }), stillTrue: say("apple.checkStill") }));
        }
    }, { small: true, label: say("apple.checkThat", { host: domain.host }) });
    const remove = async () => {
        const { etag } = await api.read(path);
        const done = await confirm({
            mode: merchant.mode, title: say("apple.removeDomainTitle", { host: domain.host }), act: say("apple.removeDomain"), danger: true, typed: domain.host,
            sentence: say("apple.removeDomainText", { host: domain.host }), run: () => api.remove(path, { etag }),
        });
        if (done) { toast(say("apple.domainRemoved", { host: domain.host })); refresh(); }
    };
    describe(domain);
    stand(domain);
    const url = `https://${domain.host}${filePath}`;
    return make("li", { class: "card" },
        make("div", { class: "card-head" }, make("h2", {}, domain.host), sign), place,
        facts([
            [say("apple.fileAt"), make("span", { class: "identifier" }, make("code", { class: "wrap" }, url), copyButton(url, { label: say("apple.copyAddress") }))],
            [say("apple.fileIs"), say("apple.fileBytes", { bytes: domain.bytes, digest: domain.fileSHA256.slice(0, 12) })],
            [say("apple.registeredAt"), moment(domain.registeredAt, "day")],
        ]),
        mayChange && make("div", { class: "card-actions" }, check,
            button(say("apple.remove"), remove, { small: true, label: say("apple.removeThat", { host: domain.host }) })));
}

const fileCharactersMax = 65_536;

function addDialog(merchant) {
    let opened;
    const isLive = merchant.mode === "live";
    const own = form({
        fields: [
            { name: "host", label: say("apple.host"), hint: say("apple.hostHelp"), required: true, maxlength: 253, placeholder: "shop.example.com", autofocus: true },
            { name: "file", label: say("apple.file"), hint: say(isLive ? "apple.fileHelpLive" : "apple.fileHelpSandbox"), kind: "textarea", mono: true, rows: 4, required: isLive, maxlength: fileCharactersMax },
        ],
        submit: say("apple.addDomain"), cancel: () => opened.close(),
        onSubmit: async ({ host, file }, { key }) => {
            await api.post(pathOf(merchant, "/domains"), { host, ...(file ? { file: file.trim() } : {}) }, { key });
            opened.close();
            toast(say("apple.domainAdded", { host }));
            refresh();
        },
    });
    opened = dialog({ mode: merchant.mode, title: say("apple.addDomain"), body: [make("p", {}, say(isLive ? "apple.addDomainLive" : "apple.addDomainSandbox")), own] });
}
