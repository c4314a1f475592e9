//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Names that are the same in every language.

import { sayOr } from "./words.js";

/** The dialects by their names on the wire of the API. */
export const dialects = { alphapay: "AlphaPay", commweb: "CommWeb", payone: "PAYONE", radial: "Radial", tappay: "TapPay" };

export const dialectName = (dialect) => dialects[dialect] ?? dialect;

/** The networks of cards that are called the same in every language; of the others, `words` has the name. */
const networkNames = { visa: "Visa", mastercard: "Mastercard", amex: "Amex", jcb: "JCB", discover: "Discover", girocard: "girocard" };

/** What the gateway calls card networks. */
export const networks = ["visa", "mastercard", "amex", "jcb", "discover", "unionPay", "girocard", "other"];

export const networkName = (network) => networkNames[network] ?? sayOr(`states.network_${network}`, network);
