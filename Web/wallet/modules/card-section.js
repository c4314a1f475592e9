//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The cards on the sheet: the one that pays, the others, and the networks of one that has several.

import { cardArt, make } from "./drawing.js";
import { outcomeWords } from "./words.js";

export class CardSection {
    #request;
    #actions;
    #list = make("div", { class: "list", id: "cards", role: "radiogroup", "aria-label": "Cards", hidden: true });
    #shown = make("div", { class: "grow" });
    #art = make("span");
    #choices = make("div", { class: "choices" });
    #networks = make("fieldset", { class: "segments card-networks", hidden: true },
        make("legend", {}, "Card network"), this.#choices);
    #button;

    constructor(request, actions) {
        this.#request = request;
        this.#actions = actions;
        this.#button = make("button", {
            type: "button", class: "plain", "aria-expanded": "false", "aria-controls": "cards",
            "aria-label": "Change card", click: () => this.toggle(),
        }, "Change");
        this.element = make("section", { class: "block", "aria-label": "Card" },
            make("span", { class: "caption" }, "Pay with"),
            make("div", { class: "row" }, this.#art, this.#shown, this.#button), this.#networks, this.#list);
    }

    /// - Parameter present: a card's face, with the network that it would pay by now; undefined if it is not accepted.
    showAll(cards, selected, present) {
        this.#list.replaceChildren(...cards.map((card) => {
            const face = present(card);
            const isAccepted = face !== undefined;
            return make("label", { class: "option" }, make("input", {
                type: "radio", name: "card", value: card.id, checked: card === selected, disabled: !isAccepted,
                change: () => this.#actions.selectCard(card),
            }), cardArt(face ?? card), make("span", { class: "grow" },
                make("span", { class: "name" }, (face ?? card).displayName),
                make("span", { class: "detail" }, isAccepted ? this.#detail(card) : "Not accepted by this shop")),
                make("span", { class: `tag ${card.outcome}` }, outcomeWords[card.outcome] ?? card.outcome));
        }));
        this.show(selected, selected && present(selected));
    }

    show(card, face) {
        this.#showNetworks(card, face);
        if (card === undefined) {
            this.#shown.replaceChildren(make("span", { class: "name" }, "No card that this shop accepts"),
                make("span", { class: "detail" }, `It takes ${this.#request.supportedNetworks.join(", ")}.`));
            return;
        }
        this.#art.replaceChildren(cardArt(face));
        this.#shown.replaceChildren(make("span", { class: "name" }, face.displayName),
            make("span", { class: "detail" }, this.#detail(card)));
    }

    /// The choice among the networks of a co-badged card that the shop takes, in the shop's order.
    #showNetworks(card, face) {
        const choices = face !== undefined && face.choices.length > 1 ? face.choices : [];
        this.#networks.hidden = choices.length === 0;
        const hadFocus = this.#choices.matches(":focus-within");
        this.#choices.replaceChildren(...choices.map((choice) => make("label", {}, make("input", {
            type: "radio", name: "card-network", value: choice.network, checked: choice.network === face.network,
            change: () => this.#actions.selectNetwork(card, choice.network),
        }), choice.displayName.replace(/ \d+$/, ""))));
        if (hadFocus) { this.#choices.querySelector("input:checked")?.focus(); }
    }

    /// What is not in the tag beside it.
    #detail(card) { return card.outcome === "approves" ? `${card.type} card` : `${card.type} card · ${card.title}`; }

    toggle(isOpen = this.#list.hidden) {
        this.#list.hidden = !isOpen;
        this.#button.setAttribute("aria-expanded", String(isOpen));
        this.#button.textContent = isOpen ? "Hide" : "Change";
        if (isOpen) { this.#list.querySelector("input:checked")?.focus(); }
    }
}
