//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import TapPay

/// What single dialects are given besides the gateway.
struct DialectOptions: Sendable {
    /// What cards' first digits say of them.
    var cards = BINTable.standard
    /// Who is made to wait.
    var limits = CallerLimits.none

    /// A table has a few hundred thousand rows at most.
    private static let tableBytesMax = 64 << 20

    init() {}

    /// Reads the files that a configuration names.
    ///
    /// - Throws: ``CommandFailure`` `bin_table_malformed`, which names the line; `file_unreadable`, `file_too_large`.
    init(_ configuration: ApplicationConfiguration) throws(CommandFailure) {
        guard let path = configuration.binTablePath else { return }
        let bytes = try InputFile.bytes(of: path, what: "BIN table", bytesMax: Self.tableBytesMax)
        do throws(BINTableError) {
            self.cards = try BINTable(csv: bytes)
        } catch {
            throw CommandFailure(
                .binTableMalformed, stage: .configuration,
                "The BIN table \(path), \(error). docs/configuration.md says what a table has.")
        }
    }
}
