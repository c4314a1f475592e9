//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ASCII
import BaseEncoding
public import DialectKit
@_spi(Administration) public import Gateway
import Logging
import Money
import Payments
import Synchronization
import Time

/// Keeps a record of refused calls, beside the way of payments: a call is put into a queue of fixed length, and a
/// worker writes what waits there, one commit at a time. What comes when the queue is full is dropped and counted by
/// the caller, so that whoever has many calls refused fills neither the memory nor the store's time.
public final class RefusalJournal: Sendable {
    /// How many are written in a commit; with a commit a second, what is kept of a flood.
    public static let batchMax = 256

    private struct Waiting: Sendable {
        let call: RefusedWireCall
        let at: Timestamp
    }

    private let gateway: Gateway
    private let services: Set<String>
    private let waitingMax: Int
    private let waiting = Mutex<[Waiting]>([])

    /// - Parameters:
    ///   - services: whose refusals are kept, by the services' labels: those that take payments. What asks for other
    ///     pages is nobody's payment.
    ///   - waitingMax: the length of the queue.
    public init(_ gateway: Gateway, services: Set<String>, waitingMax: Int = 1024) {
        self.gateway = gateway
        self.services = services
        self.waitingMax = waitingMax
    }

    /// Takes a refused call. It waits for nothing.
    ///
    /// - Returns: whether there was room for it; also for one that is none of the services'.
    public func take(_ call: RefusedWireCall) -> Bool {
        guard self.services.contains(call.service) else { return true }
        let entry = Waiting(call: call, at: self.gateway.now())
        return self.waiting.withLock { waiting in
            guard waiting.count < self.waitingMax else { return false }
            waiting.append(entry)
            return true
        }
    }

    /// Writes what waits, at most ``batchMax`` calls, in one commit. Called by one worker. What the store does not
    /// take stays in the queue.
    ///
    /// - Returns: how many were written.
    /// - Throws: `StoreError`.
    @discardableResult
    public func write() async throws -> Int {
        let batch = self.waiting.withLock { Array($0.prefix(Self.batchMax)) }
        guard !batch.isEmpty else { return 0 }
        let calls = batch.map { self.record(of: $0) }
        try await self.gateway.store.write { transaction in
            var identifiers: [MerchantID: [String: String]] = [:]
            for call in calls {
                var call = call
                if let merchant = call.merchantID, let hash = call.publicKeyHash {
                    let known = try identifiers[merchant] ?? Self.identifiers(of: merchant, in: transaction)
                    identifiers[merchant] = known
                    call = call.naming(known[hash])
                }
                try transaction.insert(call)
            }
        }
        self.waiting.withLock { $0.removeFirst(batch.count) }
        return batch.count
    }

    /// Deletes what has been kept long enough, and what is more than is kept.
    ///
    /// - Throws: `StoreError`.
    public func sweep() async throws {
        let settings = self.gateway.settings
        let oldest = self.gateway.now().adding(seconds: -settings.refusalsKeptSeconds)
        let countMax = settings.refusalsKeptMax
        try await self.gateway.store.write { [gateway] transaction in
            guard try gateway.mayActByTime(in: transaction) else { return }
            try transaction.deleteRefusedCalls(before: oldest, keeping: countMax)
        }
    }

    /// The merchant identifiers of a merchant's keys, whether they are in use or not.
    private static func identifiers(
        of merchant: MerchantID, in reader: any StoreReader
    ) throws -> [String: String] {
        let credentials = try reader.appleCredentials(of: merchant).filter { $0.purpose == .paymentProcessing }
        return Dictionary(credentials.map { ($0.id, $0.merchantIdentifier) }) { first, _ in first }
    }

    private func record(of entry: Waiting) -> RefusedCall {
        let (call, notes) = (entry.call, entry.call.notes)
        let stage = RefusedCall.Stage(of: call)
        // What the gateway has noted counts only where the stage follows from it.
        let refusal = call.reachedRoute ? notes.refusal : nil
        return RefusedCall(
            id: RefusedCallID(at: entry.at, random: self.gateway.randomBytes(10)), at: entry.at,
            merchantID: notes.merchantID, dialect: DialectName(call.service), operation: call.refusal.operation,
            wireCode: call.refusal.code, stage: stage, code: refusal?.code ?? call.refusal.code,
            // A sentence may name members of what was sent: no more of them than fits, and nothing that a terminal obeys.
            text: ForeignText.line(
                refusal?.explanation ?? stage.explanation(code: call.refusal.code, call.service), scalarsMax: 400),
            requestID: call.requestID, publicKeyHash: notes.publicKeyHash.map { Hex.encode($0) },
            amount: notes.amount.flatMap { $0.minorUnits >= 0 ? $0 : nil })
    }
}

extension RefusedCall {
    fileprivate func naming(_ merchantIdentifier: String?) -> RefusedCall {
        RefusedCall(
            id: self.id, at: self.at, merchantID: self.merchantID, dialect: self.dialect, operation: self.operation,
            wireCode: self.wireCode, stage: self.stage, code: self.code, text: self.text, requestID: self.requestID,
            publicKeyHash: self.publicKeyHash, merchantIdentifier: merchantIdentifier, amount: self.amount)
    }
}

extension RefusedCall.Stage {
    /// How far a call came: by the gateway's refusal where there is one, else by what was looked at.
    fileprivate init(of call: RefusedWireCall) {
        guard call.reachedRoute else {
            self = .http
            return
        }
        if let refusal = call.notes.refusal {
            self = refusal.stage
            return
        }
        switch call.notes.caller {
        case .claimed, .waiting: self = .credentials
        case .unknown, .proven: self = .fields
        }
    }

    /// What to do about a refusal of which only the service knows that was called, by its label.
    fileprivate func explanation(code: String, _ service: String) -> String {
        switch self {
        case .http:
            "The call reached no endpoint (\(code)). Compare path, method and size with \(Self.page(of: service)); where the "
                + "gateway was overloaded, send it again."
        case .credentials:
            "Who calls is not known, or has called too often (\(code)). Compare the credentials with the account's, or wait."
        default:
            "What was sent is not what the dialect asks for (\(code)). \(Self.page(of: service)) says what the code means."
        }
    }

    /// The document of a service: those that are no dialects have their own.
    private static func page(of service: String) -> String {
        switch service {
        case "merchant-session": "docs/merchant-validation.md"
        default: "docs/dialects/\(service).md"
        }
    }
}
