//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#ifndef CP256TABLE_H
#define CP256TABLE_H

#include <stdbool.h>
#include <stdint.h>

/// Multiples of a point of P-256, so that another multiple takes 37 additions instead of 255 doublings besides. What it
/// holds is public: which of its entries are read depends on the number that the point is multiplied by.
typedef struct pomona_p256_table pomona_p256_table;

/// Of the point that all of P-256 is counted from (SEC 2, section 2.4.2).
///
/// - Returns: NULL as ``pomona_p256_table_make``.
pomona_p256_table *pomona_p256_table_make_generator(void);

/// - Parameter point: its two coordinates, 32 bytes each, of which the caller knows that they are on the curve.
/// - Returns: To be given back with ``pomona_p256_table_free``. NULL where the processor or the BoringSSL that this is linked with
///   has not what a table takes, or without memory.
pomona_p256_table *pomona_p256_table_make(const uint8_t point[64]);

void pomona_p256_table_free(pomona_p256_table *table);

/// Verifies an ECDSA signature (FIPS 186-5, section 6.4.2).
///
/// - Parameters:
///   - generator: of ``pomona_p256_table_make_generator``.
///   - key: of the signer's public key.
///   - digest: SHA-256 of what was signed.
///   - signature: r and s, 32 bytes each.
bool pomona_p256_table_verify(
    const pomona_p256_table *generator, const pomona_p256_table *key, const uint8_t digest[32], const uint8_t signature[64]);

#endif
