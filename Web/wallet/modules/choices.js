//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the shopper has chosen on the sheet: the card and its network, a shipping method, contacts.

import { cardFace } from "./card-face.js";
import { startingContact } from "./contacts.js";
import { phone } from "./phone.js";

const preferredMethod = (methods) => methods.find((method) => method.selected) ?? methods[0];

export class Choices {
    cards = [];
    /// The chosen card; undefined where the shop takes none of the wallet's.
    card;
    method;
    contacts;
    #request;
    /// The networks that the shopper chose, by the card's id.
    #networks = new Map();

    constructor(request) {
        this.#request = request;
        this.contacts = { shipping: startingContact("shipping", request), billing: startingContact("billing", request) };
        this.method = preferredMethod(request.shippingMethods);
    }

    /// The wallet's cards have come: the first that the shop takes is chosen.
    offerCards(cards) {
        this.cards = cards;
        this.card = cards.find((card) => this.face(card) !== undefined);
    }

    /// The shop has other shipping methods now. One that is preselected comes before the one that was chosen.
    offerMethods(methods) {
        const chosen = methods.find((method) => method.identifier === this.method?.identifier);
        this.method = methods.find((method) => method.selected) ?? chosen ?? methods[0];
    }

    /// The card as it would pay at this shop; undefined if not at all.
    face(card) { return cardFace(card, this.#request, this.#networks.get(card.id)); }

    chooseNetwork(card, network) { this.#networks.set(card.id, network); }

    /// The phone knows the contact the next time, too.
    saveContact(kind, full) {
        this.contacts[kind] = full;
        phone.contacts[`${kind}-${this.#request.countryCode}`] = full;
    }
}
