//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// A certificate that was searched for: goes on to its merchant's way.

import * as api from "../core/api.js";
import { make } from "../core/dom.js";
import { navigate } from "../core/router.js";
import { state } from "../core/state.js";
import { pathOf } from "./shared/parts.js";

export async function find({ parameters, signal }) {
    for (const merchant of state.merchants) {
        const all = await api.getAll(pathOf(merchant, "/certificates"), {}, { signal });
        const found = all.find(({ id, publicKeyHash }) => [id, publicKeyHash].includes(parameters.certificate));
        if (found) {
            navigate(`/apple-pay/certificate/${found.purpose}`, { query: { merchant: merchant.name, identifier: found.merchantIdentifier }, replace: true });
            return make("div");
        }
    }
    throw new api.APIError(404, {});
}
