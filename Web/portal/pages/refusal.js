//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// One refused call.

import { get } from "../core/api.js";
import { make } from "../core/dom.js";
import { moment } from "../core/format.js";
import { dialectName } from "../core/names.js";
import { backTo, href } from "../core/router.js";
import { merchantNamed, modeOf } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { dotted, english, facts, identifier, note, page, section } from "../widgets/basics.js";
import { more } from "../widgets/acts.js";
import { mark, modeTag } from "../widgets/marks.js";
import { advice, link, refusedAmount, wrong } from "./refused.js";
import { follows } from "./shared/parts.js";

export const title = () => say("refused.one");

export async function render({ parameters, signal }) {
    const refusal = await get(`/refusals/${encodeURIComponent(parameters.id)}`, {}, { signal });
    if (refusal.merchant && follows(refusal.merchant, signal, () => "/refused", { keepsAll: true })) { return make("div"); }
    const ofMode = refusal.merchant ? modeOf(refusal.merchant) : null;
    const zone = merchantNamed(refusal.merchant)?.timeZone;
    const content = page({
        back: { href: backTo("/refused"), text: say("refused.title") }, title: wrong(refusal), zone: true,
        lead: make("p", { class: "payment-lead" }, [ofMode && modeTag(ofMode), mark("refused"), make("code", {}, refusal.code)].filter(Boolean).map((part) => make("span", {}, part)), make("span", {}, moment(refusal.at, "full", zone))),
    },
    note("info", make("p", {}, make("strong", {}, say("refused.toDo"))), make("p", {}, advice(refusal) || say("refused.noAdvice")), link(refusal)),
    section(say("refused.whatWasAsked"), { actions: more(say("refused.same"), href("/refused", { code: refusal.code })) }, facts([
        [say("refused.said"), refusal.text && english(refusal.text)],
        [say("refused.stage"), sayOr(`refused.stage_${refusal.stage}`, refusal.stage)],
        [say("refused.call"), `${dialectName(refusal.dialect)} · ${refusal.operation}`],
        [say("refused.wireCode"), make("code", {}, refusal.wireCode)],
        [say("refused.amount"), refusedAmount(refusal.amount)],
        [say("frame.merchant"), refusal.merchant ? merchantNamed(refusal.merchant)?.displayName ?? refusal.merchant : say("refused.nobody")],
        [say("refused.request"), identifier(refusal.requestId, { whole: true })],
        [say("refused.key"), refusal.publicKeyHash && identifier(refusal.publicKeyHash, { link: href("/refused", { key: refusal.publicKeyHash }) })],
        [say("refused.identifier"), refusal.merchantIdentifier && dotted(refusal.merchantIdentifier)],
        [say("refused.id"), identifier(refusal.id)],
    ], { wide: true })),
    make("p", { class: "muted small-print" }, say("refused.nothingBegun")));
    content.ofMode = ofMode;
    content.pageTitle = wrong(refusal);
    return content;
}
