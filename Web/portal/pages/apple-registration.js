//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Merchant registration through Apple's Web Merchant Registration API, for operators with a platform integrator's certificate. Apple keeps
// the registrations: what is shown is what Apple says now.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { href, refresh } from "../core/router.js";
import { can, chosenMerchant } from "../core/state.js";
import { say } from "../core/words.js";
import { button, empty, facts, identifier, note, page, problem, section, toast } from "../widgets/basics.js";
import { dialog } from "../widgets/dialog.js";
import { form } from "../widgets/forms.js";
import { modeTag } from "../widgets/marks.js";
import { parts } from "./apple-pay.js";
import { pathOf, whoseIsIt } from "./shared/parts.js";

const linkTo = (path, merchant) => href(path, { merchant: merchant.name });

export async function show({ signal }) {
    const merchant = chosenMerchant();
    if (!merchant) { return whoseIsIt(say("apple.registration"), say("apple.registrationLead")); }
    const path = pathOf(merchant, "/apple-registration");
    const head = { title: say("apple.title"), lead: make("span", { class: "marks" }, merchant.displayName, modeTag(merchant.mode)) };
    const lead = make("p", {}, say("apple.registrationLead"));
    let standing;
    try {
        standing = await api.get(path, {}, { signal });
    } catch (error) {
        if (error.name === "AbortError") { throw error; }
        return page(head, parts("/apple-pay/registration"), lead, error.code === "platform_unknown"
            ? empty(say("apple.noPlatform"), say("apple.noPlatformText"))
            : problem(error, { tried: say("apple.registrationTried"), stillTrue: say("apple.registrationStill") }));
    }
    const data = await api.getAll(pathOf(merchant, "/domains"), {}, { signal });
    const registered = standing.registered?.domainNames ?? [];
    const others = data.map(({ host }) => host).filter((host) => !registered.includes(host));
    return page(head, parts("/apple-pay/registration"), lead,
        section(say("apple.registered"), {}, facts([
            [say("apple.platform"), make("code", { class: "wrap" }, standing.platform)],
            [say("apple.registerIdentifier"), identifier(standing.identifier)],
            ...(standing.registered ? [
                [say("apple.registeredName"), standing.registered.merchantName],
                [say("apple.encryptTo"), make("code", { class: "wrap" }, standing.registered.encryptTo)],
                [say("apple.domains"), make("ul", { class: "plain-list" }, registered.map((host) => make("li", {}, host, " ",
                    can("apple-pay:write") && button(say("apple.unregister"), () => unregister(path, merchant, host, registered.length === 1),
                        { small: true, label: say("apple.unregisterThat", { host }) }))))],
            ] : [[say("apple.domains"), say("apple.notRegistered")]]),
        ])),
        can("apple-pay:write") ? section(say("apple.register"), {}, ready(standing, data, others, merchant) ?? registerForm(path, merchant, standing, others)) : null);
}

/** What is to be done before there is anything to register. */
function ready(standing, domains, others, merchant) {
    if (standing.recipients.length === 0) {
        return note("pending", make("p", {}, say("apple.noRecipient"), " ", make("a", { href: linkTo("/apple-pay", merchant) }, say("apple.certificates"))));
    }
    if (domains.length === 0) {
        return note("pending", make("p", {}, say("apple.noDomainToRegister"), " ", make("a", { href: linkTo("/apple-pay/domains", merchant) }, say("apple.domains"))));
    }
    return others.length === 0 ? make("p", {}, say("apple.allRegistered")) : null;
}

function registerForm(path, merchant, standing, others) {
    return form({
        fields: [
            { name: "merchantName", label: say("apple.registeredName"), required: true, maxlength: 255, value: standing.registered?.merchantName ?? merchant.displayName },
            { name: "domainNames", label: say("apple.domains"), hint: say("apple.domainsHelp"), kind: "flags", required: true, options: others.map((host) => [host, host]), value: others },
            {
                name: "encryptTo", label: say("apple.encryptTo"), hint: say("apple.encryptToHelp"), kind: "choice", required: true,
                // Apple takes all of it anew: a further domain leaves as it is what nobody means to change.
                options: standing.recipients.map((name) => [name, name]), value: standing.registered ? standing.recipients.find((name) => name === standing.registered.encryptTo) : standing.recipients[0],
            },
            { name: "merchantURL", label: say("apple.merchantURL"), hint: say("apple.merchantURLHelp"), inputmode: "url", placeholder: "https://", maxlength: 255, value: standing.registered?.merchantURL ?? "" },
        ],
        submit: say("apple.registerDo"),
        onSubmit: async (values, { key }) => {
            await api.post(path, values, { key });
            toast(say("apple.registerDone"));
            refresh();
        },
    });
}

function unregister(path, merchant, host, isLast) {
    let opened;
    const own = form({
        fields: [{ name: "reason", label: say("apple.reason"), hint: say("apple.reasonHelp"), required: true, maxlength: 200, autofocus: true }],
        submit: say("apple.unregisterDo"), kind: "danger", cancel: () => opened.close(),
        onSubmit: async ({ reason }, { key }) => {
            await api.post(`${path}/unregister`, { domainNames: [host], reason }, { key });
            opened.close();
            toast(say("apple.unregisterDone", { host }));
            refresh();
        },
    });
    opened = dialog({
        mode: merchant.mode, title: say("apple.unregisterTitle", { host }),
        body: [make("p", { class: "sentence" }, say(isLast ? "apple.unregisterLastText" : "apple.unregisterText", { host, name: merchant.displayName })), own],
    });
}
