//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Payments

/// A domain of a setup, and what is to be served for it.
struct SetupDomain: Sendable {
    let host: WellKnownHost
    /// What Apple gave for the domain; `nil` where the domain is registered already and the setup brings nothing new.
    let bytes: [UInt8]?

    /// - Throws: ``CommandFailure`` for a host that is none, for a file that cannot be read, and where a live merchant's is
    ///   missing.
    init(
        _ domain: SetupFile.Domain, of merchant: String, _ mode: Mode, _ directory: DataDirectory
    ) throws(CommandFailure) {
        guard let host = WellKnownHost(domain.host) else {
            throw CommandFailure(.settingInvalid, stage: .input, "\(domain.host) is no host name.")
        }
        self.host = host
        if let path = domain.file {
            self.bytes = try InputFile.bytes(
                of: FileSystem.absolutePath(path), what: "domain association file",
                bytesMax: WellKnownDomains.fileBytesMax)
            return
        }
        guard try WellKnownDomains(directory: directory).entry(host)?.merchants.contains(merchant) != true else {
            self.bytes = nil
            return
        }
        guard mode == .sandbox else {
            throw CommandFailure(
                .setupMalformed, stage: .input,
                "A live merchant's domain needs the file that Apple's developer portal gives for it.")
        }
        // The simulated Apple reads none. Merchants of one sandbox may share the domain.
        self.bytes = Array("The sandbox's stand-in for the domain association file of \(host.name)\n".utf8)
    }
}
