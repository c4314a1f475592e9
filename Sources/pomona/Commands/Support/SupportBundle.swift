//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import ArgumentParser
import AsyncHTTPClient
import DialectKit
import Foundation
import NIOCore
import NIOHTTP1
import Payments
import Redaction
import StrictJSON
import Time

/// What somebody needs to know of a gateway who is to help, and nothing that only its operator may.
struct SupportBundle: Sendable {
    let directory: DataDirectory
    let configPath: String?
    let metricsURL: String?
    let now: Timestamp

    private static let refusalsCount = 200
    private static let alarmsCount = 50
    private static let metricsBytesMax = 4 << 20

    /// - Returns: the bundle, and in how many texts of it something was taken out that looked like a secret.
    func make() async -> (json: JSON, hiddenCount: Int) {
        var parts = JSONObject()
        parts["made"] = .string(self.now.rfc3339Seconds)
        parts["version"] = .string(Version.text)
        parts["system"] = self.system
        parts["configuration"] = await self.part { try self.configuration() }
        parts["findings"] = await self.part { try await self.findings() }
        parts["store"] = await self.part { try await self.store() }
        parts["refusals"] = await self.part { try await self.refusals() }
        parts["alarms"] = await self.part { try await self.alarms() }
        if let metricsURL { parts["metrics"] = await self.part { try await self.metrics(metricsURL) } }
        var sieve = SupportSieve(Scrubber(self.secrets))
        let json = sieve.sieved(.object(parts))
        return (json, sieve.hiddenCount)
    }

    private func part(_ body: () async throws -> JSON) async -> JSON {
        do {
            return try await body()
        } catch {
            return ["unavailable": .string((error as? CommandFailure)?.message ?? "\(error)")]
        }
    }

    /// What may stand in a message of somebody else's.
    private var secrets: [Redacted<String>] {
        let url = try? self.directory.storeLocation().text
        let password = url.flatMap { URLComponents(string: $0.reveal())?.password }.map { Redacted($0) }
        let configured = try? ConfigurationValues.ofProcess(file: self.configPath)
        let values = ConfigurationKey.all.filter(\.mayHoldSecret).compactMap { try? configured?.text($0) }
        return [url, password].compactMap { $0 } + values.map { Redacted($0) }
    }

    private var system: JSON {
        let process = ProcessInfo.processInfo
        return [
            "os": .string(process.operatingSystemVersionString), "processors": JSON(process.activeProcessorCount),
            "memoryBytes": .number(String(process.physicalMemory)),
        ]
    }

    /// The keys that are set, each with who sets it; of one that may hold a secret that it is set.
    private func configuration() throws -> JSON {
        let values = try ConfigurationValues.ofProcess(file: self.configPath)
        var keys = JSONObject()
        for key in values.keys {
            guard let source = values.source(key), let text = try values.text(key) else { continue }
            keys[key.name] = ["value": .string(key.mayHoldSecret ? "(set)" : text), "source": .string(source)]
        }
        return ["keys": .object(keys), "warnings": .array(values.warnings.map { .string("\($0)") })]
    }

    /// What `pomona doctor --offline --all` says.
    private func findings() async throws -> JSON {
        var arguments = ["--data", self.directory.path, "--offline", "--all"]
        if let configPath { arguments += ["--config", configPath] }
        let report = DoctorReport(
            findings: try await DoctorCommand.parse(arguments).findings(), directory: self.directory, showsGood: true)
        return report.json
    }

    private func store() async throws -> JSON {
        let location = try self.directory.storeLocation()
        let missing = try await location.missingSteps()
        var object = JSONObject()
        object["kind"] = .string(location.isShared ? "postgresql" : "sqlite")
        object["missingSteps"] = .array(missing.map(JSON.string))
        guard missing.isEmpty else { return .object(object) }
        let counts = try await self.reading { reader in
            var counts = JSONObject()
            counts["merchants"] = JSON(try reader.merchants().count)
            for kind in Job.Kind.allCases {
                counts["open.\(kind.rawValue)"] = JSON(try reader.jobs(kind, limit: PaymentsListCommand.countMax).count)
            }
            let count = try reader.paymentsCount(PaymentQuery(), max: PaymentsListCommand.countMax)
            counts[count < PaymentsListCommand.countMax ? "payments" : "paymentsMin"] = JSON(count)
            return counts
        }
        object["counts"] = .object(counts)
        return .object(object)
    }

    private func refusals() async throws -> JSON {
        try await self.reading { reader in
            let names = Dictionary(try reader.merchants().map { ($0.id, $0.name) }) { first, _ in first }
            let calls = try reader.refusedCalls(RefusedCallQuery(limit: Self.refusalsCount))
            return .array(calls.map { .object($0.view(merchant: $0.merchantID.flatMap { names[$0] })) })
        }
    }

    private func alarms() async throws -> JSON {
        try await self.reading { reader in
            .array(try reader.alarms(before: nil, limit: Self.alarmsCount).map { .object($0.view) })
        }
    }

    private func reading<Value: Sendable>(
        _ body: @escaping @Sendable (any StoreReader) throws -> Value
    ) async throws -> Value {
        let store = try await DirectoryAccess.readOnly(self.directory)
        do {
            let value = try await store.read(body)
            try await store.close()
            return value
        } catch {
            try? await store.close()
            throw error
        }
    }

    private func metrics(_ url: String) async throws -> JSON {
        let response = try await HTTPClient.shared.execute(HTTPClientRequest(url: url), timeout: .seconds(5))
        let body = try await response.body.collect(upTo: Self.metricsBytesMax)
        guard response.status == .ok else { return ["unavailable": .string("HTTP status \(response.status.code)")] }
        return .array(
            String(buffer: body).split(separator: "\n").filter { !$0.hasPrefix("#") }.map { .string(String($0)) })
    }
}

/// Takes out of every text of a document what looks like a secret or a card number, whatever part it came from.
struct SupportSieve {
    private let scrubber: Scrubber
    private(set) var hiddenCount = 0

    init(_ scrubber: Scrubber) {
        self.scrubber = scrubber
    }

    mutating func sieved(_ json: JSON) -> JSON {
        switch json {
        case .object(let object):
            var output = JSONObject()
            for (name, value) in object.members { output[self.text(name)] = self.sieved(value) }
            return .object(output)
        case .array(let elements): return .array(elements.map { self.sieved($0) })
        case .string(let text): return .string(self.text(text))
        case .number(let number):
            let text = self.text(number)
            return text == number ? json : .string(text)
        case .bool, .null: return json
        }
    }

    private mutating func text(_ text: String) -> String {
        let scrubbed = self.scrubber.scrub(text)
        if scrubbed != text { self.hiddenCount += 1 }
        return scrubbed
    }
}
