//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// What the SDK puts up with, said where a shop's developer looks. The one place that writes to the console.

/**
 * Warns of something that the vendor's SDK takes and this one does without. Like the errors it names the field and
 * never carries its value.
 *
 * @param {string} field Such as "paymentRequest.supportedNetworks[2]".
 * @param {string} sentence What became of it.
 */
export function warn(field, sentence) {
    console.warn(`TPDirect: ${field} ${sentence}.`);
}
