//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// How a card would pay at a shop.

/// The card's networks that the shop takes, in the order of supportedNetworks: the first is preselected.
function acceptedNetworks(card, request) {
    const kinds = request.merchantCapabilities.filter((name) => ["supportsCredit", "supportsDebit"].includes(name));
    const kind = card.type === "debit" ? "supportsDebit" : "supportsCredit";
    if (kinds.length > 0 && !kinds.includes(kind)) { return []; }
    const names = [...new Set(request.supportedNetworks.map((name) => name.toLowerCase()))];
    return names.flatMap((name) => card.networks.filter(({ network }) => network.toLowerCase() === name));
}

/// The card as it would pay: by the network that the customer chose, or by the preselected one; undefined if not at all.
export function cardFace(card, request, network) {
    const choices = acceptedNetworks(card, request);
    const chosen = choices.find((choice) => choice.network === network) ?? choices[0];
    return chosen && { ...card, ...chosen, choices };
}
