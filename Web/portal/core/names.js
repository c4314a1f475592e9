//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Names that are the same in every language.

/** The dialects by their names on the wire of the API. */
export const dialects = { alphapay: "AlphaPay", commweb: "CommWeb", payone: "PAYONE", radial: "Radial", tappay: "TapPay" };

export const dialectName = (dialect) => dialects[dialect] ?? dialect;

/** What the gateway calls card networks. */
export const networks = ["visa", "mastercard", "amex", "jcb", "discover", "unionPay", "girocard", "other"];
