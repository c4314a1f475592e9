//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A contact on the sheet: what the shop asks for of it, and the form in which the shopper changes it.

import { asksForName, countryName, requestedContact, sampleContacts } from "./contacts.js";
import { make } from "./drawing.js";
import { shippingWords } from "./words.js";

/// - Parameters of the constructor:
///   - kind: "shipping" or "billing".
///   - save: is given the whole contact that the shopper has saved.
export class ContactSection {
    #required;
    #save;
    #full;
    #shown = make("div", { class: "grow" });
    #form;
    #edit;

    /// The section, or nothing where the shop asks for nothing of it.
    static of(kind, request, save) {
        const required = request[kind === "shipping" ? "requiredShipping" : "requiredBilling"];
        return required.length === 0 ? undefined : new ContactSection(kind, request, required, save);
    }

    constructor(kind, request, required, save) {
        this.#required = required;
        this.#save = save;
        const hasAddress = required.includes("postalAddress");
        const words = kind === "billing" ? "Bill to" : hasAddress ? shippingWords[request.shippingType] : "Contact";
        this.#form = make("form", {
            class: "form", hidden: true, novalidate: true, "aria-label": words,
            submit: (event) => { event.preventDefault(); this.saveForm(); },
        });
        this.#edit = make("button", {
            type: "button", class: "plain", "aria-expanded": "false", "aria-label": `Edit: ${words}`,
            click: () => this.#toggle(this.#form.hidden),
        }, "Edit");
        // In store-pickup mode the shop's address is shown and stays as it is.
        if (kind === "shipping" && request.editingMode === "storePickup") { this.#edit.hidden = true; }
        this.element = make("section", { class: "block", "aria-label": words },
            make("span", { class: "caption" }, words), make("div", { class: "row" }, this.#shown, this.#edit), this.#form);
    }

    get isOpen() { return !this.#form.hidden; }

    show(full) {
        this.#full = full;
        const parts = requestedContact(full, this.#required);
        const name = [parts.givenName, parts.familyName].filter(Boolean).join(" ");
        const address = [...(parts.addressLines ?? []), parts.subLocality, parts.locality, parts.administrativeArea,
            parts.postalCode, parts.country].filter(Boolean).join(", ");
        const lines = [name, address, parts.emailAddress, parts.phoneNumber].filter(Boolean);
        this.#shown.replaceChildren(...lines.map((line, index) =>
            make("span", { class: index === 0 && name ? "name" : "detail" }, line)));
    }

    markWrong(isWrong) { this.element.classList.toggle("wrong", isWrong); }

    #toggle(isOpen) {
        this.#form.hidden = !isOpen;
        this.#shown.hidden = isOpen;
        this.#edit.setAttribute("aria-expanded", String(isOpen));
        this.#edit.textContent = isOpen ? "Discard" : "Edit";
        if (!isOpen) { return; }
        this.#form.replaceChildren(...this.#fields(), make("p", { class: "hint wide", role: "alert" }),
            make("div", { class: "buttons wide" }, make("button", { type: "submit", class: "solid" }, "Save")));
        this.#form.querySelector("input")?.focus();
    }

    #fields() {
        const [full, required] = [this.#full, this.#required];
        const field = (name, words, value, isWide, autocomplete, isOptional) => make("label",
            { class: `field ${isWide ? "wide" : ""}` },
            words, make("input", { name, value: value ?? "", autocomplete: "off", "data-optional": isOptional === true,
                inputmode: autocomplete }));
        const fields = [];
        if (asksForName(required)) {
            fields.push(field("givenName", "First name", full.givenName), field("familyName", "Last name", full.familyName));
        }
        if (required.includes("phoneticName")) {
            fields.push(field("phoneticGivenName", "Phonetic first name", full.phoneticGivenName, false, "text", true),
                field("phoneticFamilyName", "Phonetic last name", full.phoneticFamilyName, false, "text", true));
        }
        if (required.includes("postalAddress")) {
            const codes = [...new Set([full.countryCode, ...Object.keys(sampleContacts), "FR", "HK", "JP", "MY"])];
            fields.push(field("line1", "Street", full.addressLines?.[0], true),
                field("line2", "Street, second line (optional)", full.addressLines?.[1], true, "text", true),
                field("locality", "City", full.locality), field("administrativeArea", "State (optional)",
                    full.administrativeArea,
                    false, "text", true),
                field("postalCode", "Postal code", full.postalCode),
                make("label", { class: "field" }, "Country", make("select", { name: "countryCode" },
                    ...codes.map((code) => make("option", { value: code, selected: code === full.countryCode },
                        countryName(code))))));
        }
        if (required.includes("email")) { fields.push(field("emailAddress", "E-mail", full.emailAddress, true, "email")); }
        if (required.includes("phone")) { fields.push(field("phoneNumber", "Phone", full.phoneNumber, true, "tel")); }
        return fields;
    }

    /// Saves what stands in the form, unless something is missing: then the form stays open and says so.
    saveForm() {
        const form = this.#form;
        const inputs = [...form.querySelectorAll("input")];
        const missing = inputs.filter((input) => input.value.trim() === "" && !input.hasAttribute("data-optional"));
        for (const input of inputs) { input.setAttribute("aria-invalid", String(missing.includes(input))); }
        if (missing.length > 0) {
            form.querySelector("[role=alert]").textContent = "Fill in the marked fields.";
            missing[0].focus();
            return;
        }
        const values = Object.fromEntries(new FormData(form));
        const { line1, line2, ...rest } = values;
        const full = { ...this.#full, ...rest };
        if (line1 !== undefined) { full.addressLines = [line1, line2].filter((line) => line.trim() !== ""); }
        // The district belongs to the address that was replaced.
        if (line1 !== undefined && values.locality !== this.#full.locality) { full.subLocality = ""; }
        this.#toggle(false);
        this.#edit.focus();
        this.#save(full);
    }
}
