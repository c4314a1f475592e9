//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ApplePayToken
import ArgumentParser
import Payments
import StrictJSON
import Time

/// `pomona certificate list`: the Apple credentials of all merchants. Read-only, also beside a running server.
struct CertificateListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the certificates and open signing requests of all merchants.")

    @OptionGroup var filter: MerchantFilter

    @Flag(help: "Write JSON, also for failures.")
    var json = false

    func run() async throws {
        try await CommandRunner.run(json: self.json) { console in
            let store = try await DirectoryAccess.readOnly(self.filter.directory)
            let name = self.filter.merchant
            let entries = try await store.read { reader in
                let merchants =
                    if let name { [try Administration.merchant(named: name, in: reader)] } else {
                        try reader.merchants()
                    }
                return try merchants.flatMap { merchant in
                    try reader.appleCredentials(of: merchant.id).map { Entry(merchant: merchant, credential: $0) }
                }
            }
            let now = Timestamp.now()
            if self.json {
                console.line(JSON.object(self.object(entries, now)).text(pretty: true))
            } else {
                self.write(entries, now, to: console)
            }
        }
    }

    private func object(_ entries: [Entry], _ now: Timestamp) -> JSONObject {
        var object = JSONObject()
        object["certificates"] = .array(entries.map { .object($0.credential.view(of: $0.merchant, at: now)) })
        return object
    }

    private func write(_ entries: [Entry], _ now: Timestamp, to console: Console) {
        guard !entries.isEmpty else {
            console.line("There are none yet. Begin with: pomona certificate csr")
            return
        }
        for (index, entry) in entries.enumerated() {
            if index > 0 { console.line() }
            for line in entry.fields(at: now).lines() { console.line(line) }
        }
    }

    private struct Entry: Sendable {
        let merchant: Merchant
        let credential: AppleCredential

        func fields(at now: Timestamp) -> Fields {
            var fields = Fields()
            fields.add("merchant", "\(self.merchant.name) (\(self.merchant.mode.rawValue))")
            fields.add("certificate", self.credential.purpose.name)
            fields.add("merchant identifier", self.credential.merchantIdentifier)
            fields.add("state", self.words(at: now))
            fields.add("id", self.credential.id)
            fields.add(
                "key", self.credential.appleCertificate.map { "\($0.keyAlgorithm), hash \($0.publicKeyHashText)" })
            return fields
        }

        private func words(at now: Timestamp) -> String {
            guard let notAfter = self.credential.notAfter else {
                let isWithdrawn = self.credential.state == .retired
                return "requested \(self.credential.createdAt.rfc3339Seconds); "
                    + (isWithdrawn ? "withdrawn" : "the certificate is not imported yet")
            }
            let ending = notAfter < now ? "ended" : "ends"
            switch self.credential.state {
            case .imported: return "imported, not in use; \(ending) \(notAfter.rfc3339Seconds)"
            case .retired: return "retired, not in use; \(ending) \(notAfter.rfc3339Seconds)"
            case .requested, .active: return "\(self.credential.stateName(at: now)), until \(notAfter.rfc3339Seconds)"
            }
        }
    }
}
