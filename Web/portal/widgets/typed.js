//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What was typed into dialogs that the end of the session closed, for the same person after signing in again.

import { state } from "../core/state.js";

/** `{ person, path, title, values }` */
let left = [];

/**
 * A form's fields that are kept, in their order. A secret is none: no password, no code, and no document that is pasted, which may be
 * a key.
 */
const fieldsIn = (element) => [...element.querySelectorAll("form :is(input, select, textarea)")]
    .filter((field) => !field.readOnly && !["password", "file"].includes(field.type) && !field.matches(".mono, .code-input"));
const isTicked = ({ type }) => type === "checkbox" || type === "radio";

/** Keeps what these dialogs' forms have, as long as nobody else signs in. */
export function keep(dialogs, person) {
    left = dialogs.map((element) => ({
        person, path: location.pathname, title: element.querySelector("h2").textContent,
        values: fieldsIn(element).map((field) => (isTicked(field) ? field.checked : field.value)),
    })).filter(({ values }) => values.length > 0);
}

/** Puts what was typed before the session ended into the same dialog of the same page, for the same person; whether there was any. */
export function restore(element) {
    // Whoever else signs in finds nothing of it.
    left = left.filter(({ person }) => person === state.session?.person.userName);
    const title = element.querySelector("h2").textContent;
    const kept = left.find((one) => one.path === location.pathname && one.title === title);
    const fields = fieldsIn(element);
    if (!kept || kept.values.length !== fields.length) { return false; }
    left = left.filter((one) => one !== kept);
    fields.forEach((field, index) => {
        const member = isTicked(field) ? "checked" : "value";
        if (field[member] === kept.values[index]) { return; }
        field[member] = kept.values[index];
        // As a browser does: of radio buttons only the one that becomes checked has an event.
        if (field.type === "radio" && !field.checked) { return; }
        for (const name of ["input", "change"]) { field.dispatchEvent(new Event(name, { bubbles: true })); }
    });
    return true;
}
