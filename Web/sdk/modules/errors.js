//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/**
 * A mistake in what the page handed to the SDK: thrown by the setup methods, and the `originalError` of a getPrime that
 * was called without a proper setup. It names the field and never carries its value.
 */
export class SetupError extends TypeError {
    /**
     * @param {string} code Stable: amount_malformed, field_missing, field_malformed, value_unsupported,
     *     currency_differs, amount_and_pending, total_differs, total_out_of_range, deferred_unsupported, id_repeated,
     *     element_missing, not_set_up, payment_in_progress, not_supported.
     * @param {string} field Such as "paymentRequest.total.amount.value".
     * @param {string} sentence What is wrong with it and what to do.
     */
    constructor(code, field, sentence) {
        super(`TPDirect: ${field} ${sentence}.`);
        this.name = 'TPDirectSetupError';
        this.code = code;
        this.field = field;
    }
}
