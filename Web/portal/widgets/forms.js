//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Forms from descriptions of their fields, or from a JSON schema: labels, hints, what the server says of a field beside it.

import { freshID, make, refill } from "../core/dom.js";
import { newKey } from "../core/api.js";
import { readAmount } from "../core/reading.js";
import { report } from "../core/state.js";
import { say, sayOr } from "../core/words.js";
import { busy, button, english, problem, toast, sentence } from "./basics.js";

/**
 * A form.
 *
 * @param {object} options
 * `fields`: `{ name, label, hint, kind, required, value, options, … }`, kind one of "text" (default), "password", "email", "number",
 *   "amount" (`digits`, `currency`; its value is the server's decimal text), "choice" (`options: [[value, text], …]`), "radio", "flag",
 *   "flags" (several of `options`; its value is a list), "textarea" (`rows`, `mono`), "date", "code" (six digits), "custom" (`node`, `read()`),
 *   "bound" (`of`: "flags" or "textarea"; `free` and `held`: text and hint of the two choices; its value is null where nothing is bound).
 *   Also `pointer` (the member's JSON pointer, when it is not "/name"), `autocomplete`, `inputmode`, `maxlength`, `placeholder`, `check(value)`: a complaint or null.
 * `submit`: the button's text: a verb with its object; `kind`; `cancel`: what Cancel does;
 * `onSubmit(values, { key, form })`: a promise. Empty fields that are not required are left out of the values.
 * `note`: children before the button
 * `changesOnly`: for what stands already. The values are of those fields alone that the person has changed, an emptied one too: what a field
 *   cannot show as it is, nobody has meant to change.
 * @returns the form element; `values()`, `field(name)` (its input), `setError(name, text)`, `setSubmit(text)`, `submitButton`
 */
export function form({ fields, submit, kind = "primary", cancel, onSubmit, note, compact = false, changesOnly = false }) {
    let key = newKey();
    let sent = null;
    let isInDoubt = false;
    const trouble = make("div", { class: "form-trouble" });
    const parts = fields.filter(Boolean).map((field) => ({ field, ...control(field) }));
    const before = changesOnly ? new Map(parts.map((part) => [part, JSON.stringify(part.read())])) : null;
    const send = button(submit, undefined, { kind, type: "submit" });
    const element = make("form", { class: compact ? "form compact" : "form", novalidate: true, autocomplete: "off" },
        parts.map((part) => part.row), note, trouble,
        make("div", { class: "form-foot" }, send, cancel && button(say("frame.cancel"), cancel)));
    const setError = (name, text) => {
        const part = parts.find(({ field }) => field.name === name);
        if (part) { part.complain(text); }
    };
    const values = () => {
        const read = {};
        let first = null;
        for (const part of parts) {
            const { field } = part;
            part.complain(null);
            const value = part.read();
            if (before?.get(part) === JSON.stringify(value)) { continue; }
            const isEmpty = value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
            const complaint = part.complaint?.() ?? (isEmpty && field.required ? say("errors.required") : isEmpty ? null : field.check?.(value, read) ?? null);
            if (complaint) {
                part.complain(complaint);
                first ??= part;
            } else if (!isEmpty || field.keepsEmpty || changesOnly) {
                read[field.name] = value;
            }
        }
        first?.focus();
        return first ? null : read;
    };
    element.addEventListener("submit", async (event) => {
        event.preventDefault();
        if (send.getAttribute("aria-disabled") === "true") { return; }
        refill(trouble);
        const read = values();
        if (!read) { return; }
        // The same call again is the same act; another is another, but not before it is known what became of the first.
        const now = JSON.stringify(read);
        if (sent !== null && sent !== now && !isInDoubt) { key = newKey(); }
        sent = now;
        busy(send, true);
        try {
            await onSubmit(read, { key, form: element });
            key = newKey();
            sent = null;
            isInDoubt = false;
        } catch (error) {
            // No answer, one of the server's own troubles, and one about the key itself say nothing of what was done; and what a later try is
            // refused for says nothing of the first.
            isInDoubt ||= !(error.status >= 400 && error.status < 500) || /^idempotency_/.test(error.code ?? "");
            if (error.name === "AbortError") { return; }
            report("undone", error);
            element.waits = error.retryAfter;
            const rest = (error.errors ?? []).filter(({ pointer, detail }) => {
                const part = parts.find(({ field }) => (field.pointer ?? `/${field.name}`) === pointer);
                part?.complain(english(detail));
                return !part;
            });
            const isShown = error.errors?.length > 0 && rest.length === 0;
            if (isShown) {
                parts.find((part) => part.row.classList.contains("wrong"))?.focus();
            } else {
                refill(trouble, problem(Object.assign(error, { errors: rest })));
            }
        } finally {
            busy(send, false);
        }
    });
    return Object.assign(element, {
        values, setError, read: (name) => parts.find(({ field }) => field.name === name)?.read(), submitButton: send, trouble,
        field: (name) => parts.find(({ field }) => field.name === name)?.input,
        setSubmit: (text) => { send.lastElementChild.textContent = text; },
    });
}

function control(field) {
    const id = freshID("field");
    const hintID = `${id}-hint`;
    const errorID = `${id}-error`;
    const error = make("p", { class: "field-error", id: errorID });
    const described = () => [field.hint && hintID, error.textContent && errorID].filter(Boolean).join(" ") || undefined;
    const made = kinds[field.kind ?? "text"](field, id);
    const { input, read, complaint, isGroup } = made;
    const label = field.kind === "flag" ? null
        : isGroup ? make("legend", {}, field.label) : make("label", { for: id }, field.label, !field.required && !field.plain
            && make("span", { class: "optional" }, say("frame.optional")));
    const hint = field.hint && make("p", { class: "field-hint", id: hintID }, field.hint);
    const row = make(isGroup ? "fieldset" : "div", { class: `field field-${field.kind ?? "text"}` }, label, made.node, hint, error);
    const target = isGroup ? row : input;
    const describe = () => {
        const ids = described();
        if (!target) { return; }
        if (ids) { target.setAttribute("aria-describedby", ids); } else { target.removeAttribute("aria-describedby"); }
    };
    const complain = (text) => {
        refill(error, text);
        row.classList.toggle("wrong", Boolean(text));
        if (input && !isGroup) {
            if (text) { input.setAttribute("aria-invalid", "true"); } else { input.removeAttribute("aria-invalid"); }
        }
        describe();
    };
    describe();
    if (input && field.onInput) { input.addEventListener("input", () => field.onInput(read())); }
    return { row, read, complaint, complain, input, focus: () => (input ?? row.querySelector("input, select, textarea, button"))?.focus() };
}

/** Options with what stands among them, even where it is offered no more: a choice that cannot show it would change it. */
export const optionsWith = (options, ...standing) =>
    [...options, ...standing.filter((value) => value && !options.some(([one]) => one === value)).map((value) => [value, value])];

const plain = (type, attributes = {}) => (field, id) => {
    const input = make("input", {
        id, class: "input", type, name: field.name, autocomplete: field.autocomplete ?? "off", inputmode: field.inputmode, maxlength: field.maxlength,
        placeholder: field.placeholder, required: field.required, spellcheck: "false", autocapitalize: "none", readonly: field.readonly,
        autofocus: field.autofocus, min: field.min, max: field.max, ...attributes,
    });
    input.value = field.value ?? "";
    return { node: input, input, read: () => (type === "password" ? input.value : input.value.trim()) };
};

const kinds = {
    text: plain("text"),
    email: plain("email"),
    password: plain("password"),
    date: plain("date"),
    number: (field, id) => {
        const made = plain("text", { inputmode: "numeric" })(field, id);
        return {
            ...made, read: () => (made.input.value.trim() === "" ? "" : Number(made.input.value.trim())),
            complaint: () => (/^-?\d*$/.test(made.input.value.trim()) ? null : say("errors.number")),
        };
    },
    code: (field, id) => plain("text", { inputmode: field.inputmode ?? "numeric", class: "input code-input" })(field, id),
    amount: (field, id) => {
        const made = plain("text", { inputmode: "decimal", class: "input amount-input" })(field, id);
        const digits = field.digits ?? 2;
        const read = () => (made.input.value.trim() === "" ? "" : readAmount(made.input.value, digits) ?? "");
        return {
            node: make("div", { class: "amount-field" }, made.node, field.currency && make("span", { class: "currency" }, field.currency)), input: made.input, read,
            complaint: () => (made.input.value.trim() !== "" && readAmount(made.input.value, digits) === null ? say("errors.amount") : null),
        };
    },
    choice: (field, id) => {
        const input = make("select", { id, class: "input", name: field.name, required: field.required },
            !field.required || field.value === undefined ? make("option", { value: "" }, field.none ?? "–") : null,
            field.options.map(([value, text]) => make("option", { value }, text)));
        input.value = field.value ?? "";
        return { node: input, input, read: () => input.value };
    },
    radio: (field, id) => {
        const inputs = field.options.map(([value, text, hint], index) => {
            const input = make("input", { type: "radio", name: id, value, id: `${id}-${index}`, checked: value === field.value });
            return [input, make("label", { class: "choice", for: `${id}-${index}` }, input, make("span", {}, text, hint && make("small", {}, hint)))];
        });
        return {
            node: make("div", { class: "choices" }, inputs.map(([, label]) => label)), isGroup: true,
            read: () => inputs.find(([input]) => input.checked)?.[0].value,
        };
    },
    flag: (field, id) => {
        const input = make("input", { type: "checkbox", id, checked: Boolean(field.value), name: field.name });
        return {
            node: make("label", { class: "choice", for: id }, input, make("span", {}, field.label)), input, read: () => input.checked,
        };
    },
    flags: (field, id) => {
        const chosen = new Set(field.value ?? []);
        const inputs = field.options.map(([value, text, hint], index) => {
            const input = make("input", { type: "checkbox", value, id: `${id}-${index}`, checked: chosen.has(value) });
            return [input, make("label", { class: "choice", for: `${id}-${index}` }, input, make("span", {}, text, hint && make("small", {}, hint)))];
        });
        return {
            node: make("div", { class: "choices" }, inputs.map(([, label]) => label)), isGroup: true,
            read: () => inputs.filter(([input]) => input.checked).map(([input]) => input.value),
        };
    },
    textarea: (field, id) => {
        const input = make("textarea", {
            id, class: field.mono ? "input mono" : "input", rows: field.rows ?? 4, name: field.name, required: field.required,
            placeholder: field.placeholder, maxlength: field.maxlength, spellcheck: "false",
        });
        input.value = field.value ?? "";
        return { node: input, input, read: () => input.value };
    },
    bound: (field, id) => {
        const isHeld = field.value !== null && field.value !== undefined;
        const inner = kinds[field.of]({ ...field, value: field.value ?? undefined }, `${id}-to`);
        inner.input?.setAttribute("aria-label", field.heldLabel ?? field.label);
        const controls = inner.input ? [inner.input] : [...inner.node.querySelectorAll("input")];
        const member = inner.input ? "value" : "checked";
        const choices = [[field.free, !isHeld], [field.held, isHeld]].map(([[text, hint], checked]) => {
            const input = make("input", { type: "radio", name: id, checked });
            return { input, label: make("label", { class: "choice" }, input, make("span", {}, text, hint && make("small", {}, hint))) };
        });
        const [free, held] = choices.map(({ input }) => input);
        // What is not bound shows nothing to which it would be; whoever comes back to that finds it as it was.
        let left = controls.map((one) => one[member]);
        free.addEventListener("change", () => {
            left = controls.map((one) => one[member]);
            for (const one of controls) { one[member] = member === "value" ? "" : false; }
        });
        held.addEventListener("change", () => controls.forEach((one, index) => { one[member] = left[index]; }));
        // Who ticks or types there has chosen.
        for (const one of controls) { one.addEventListener("input", () => { held.checked = true; }); }
        return {
            node: make("div", { class: "choices" }, choices.map(({ label }) => label), make("div", { class: "bound-to" }, inner.node)), isGroup: true,
            read: () => (free.checked ? null : inner.read()),
        };
    },
    custom: (field) => ({ node: field.node, input: field.input, read: field.read, isGroup: field.isGroup ?? false }),
};

/**
 * Fields of a JSON schema's object, as the OpenAPI document has them. Nested objects are left to the page.
 *
 * @param {object} schema `{ properties, required }`
 * @param {string} set Where their words are: `SET.field_NAME`, else the schema's own description is the hint
 */
export function fieldsOf(schema, set, values = {}) {
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => {
        const one = { name, label: sayOr(`${set}.field_${name}`, name), hint: sayOr(`${set}.hint_${name}`, part.description), required: required.has(name), value: values[name] ?? part.default };
        if (part.enum) { return [{ ...one, kind: "choice", options: part.enum.map((value) => [value, sayOr(`states.${value}`, value)]) }]; }
        if (part.type === "boolean") { return [{ ...one, kind: "flag" }]; }
        if (part.type === "integer") { return [{ ...one, kind: "number" }]; }
        if (part.type === "string") { return [{ ...one, kind: "text", maxlength: part.maxLength }]; }
        return [];
    });
}

/** Does what `act` does and says what is wrong as a toast, where there is no form to say it in. */
export async function attempt(act, done) {
    try {
        const answer = await act();
        if (done) { toast(done); }
        return answer;
    } catch (error) {
        if (error.name !== "AbortError") { toast(sentence(error), { tone: "refused" }); }
        return undefined;
    }
}
