//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import Administration
import ArgumentParser
import Payments

/// Which certificate is meant, for the commands that take one.
struct CertificateName: ParsableArguments {
    /// Of an id's 64 digits.
    private static let digitsMin = 8

    @Option(help: ArgumentHelp("The merchant's name in the store.", valueName: "name"))
    var merchant: String

    @Argument(help: ArgumentHelp("The certificate's id in `pomona certificate list`, or its first 8 digits or more."))
    var id: String

    func validate() throws {
        let isID = self.id.utf8.allSatisfy { ASCII.isHexDigit($0) && !ASCII.isCapital($0) }
        guard isID, (Self.digitsMin...64).contains(self.id.utf8.count) else {
            throw ValidationError("An id is 8 to 64 hexadecimal digits: pomona certificate list")
        }
    }

    /// The whole id, or what was given where no certificate has such an id.
    ///
    /// - Throws: ``CommandFailure`` `certificate_ambiguous`; `AdministrationError` `merchant_unknown`; `StoreError`.
    func found(in administration: Administration) async throws -> (id: String, MerchantID) {
        let (name, prefix) = (self.merchant, self.id)
        let (merchant, ids) = try await administration.read { reader in
            let merchant = try Administration.merchant(named: name, in: reader)
            return (merchant.id, try reader.appleCredentials(of: merchant.id).map(\.id))
        }
        let fitting = ids.filter { $0.hasPrefix(prefix) }
        guard fitting.count <= 1 else {
            throw CommandFailure(
                .certificateAmbiguous, stage: .input,
                "\(fitting.count) certificates have ids that begin with \(prefix). Give more digits.")
        }
        return (fitting.first ?? prefix, merchant)
    }
}
