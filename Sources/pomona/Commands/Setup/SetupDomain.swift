//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments

/// A domain of a setup, and what is to be served for it.
struct SetupDomain: Sendable {
    let host: WellKnownHost
    /// What Apple gave for the domain; `nil` where the domain is registered already and the setup brings nothing new.
    let bytes: [UInt8]?

    /// - Parameters:
    ///   - merchant: `nil` for one that is yet to be made.
    ///   - administration: of the store; `nil` where there is none yet.
    /// - Throws: ``CommandFailure`` for a host that is none, for a file that cannot be read, and where a live merchant's is
    ///   missing; `StoreError`.
    init(
        _ domain: SetupFile.Domain, of merchant: MerchantID?, _ mode: Mode, _ administration: Administration?
    ) async throws {
        guard let host = WellKnownHost(domain.host) else {
            throw CommandFailure(.settingInvalid, stage: .input, "\(domain.host) is no host name.")
        }
        self.host = host
        if let path = domain.file {
            self.bytes = try InputFile.bytes(
                of: FileSystem.absolutePath(path), what: "domain association file",
                bytesMax: RegisteredDomain.fileBytesMax)
            return
        }
        if let merchant, let administration, try await administration.hasDomain(host, merchant) {
            self.bytes = nil
            return
        }
        guard mode == .sandbox else {
            throw CommandFailure(
                .setupMalformed, stage: .input,
                "A live merchant's domain needs the file that Apple's developer portal gives for it.")
        }
        self.bytes = RegisteredDomain.standIn(for: host)
    }
}
