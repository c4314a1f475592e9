//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
import Money
public import Payments
public import StrictJSON
import Time

extension Payment {
    /// As lists show it: with the names of what it is under.
    public func listView(_ names: inout PaymentNames, in reader: any StoreReader) throws -> JSONObject {
        var view = self.summaryView(merchant: try names.merchant(of: self, in: reader)?.name ?? self.merchantID.text)
        view["account"] = .string(try names.account(of: self, in: reader))
        view["orderReference"] = .string(orNull: names.reference(of: self))
        return view
    }

    /// What the verification of its token showed, where that was kept: nothing of the card, and no secret.
    public func proofView(in reader: any StoreReader) throws -> JSON {
        guard let proof = self.instrument.proof else { return .null }
        var object = JSONObject()
        object["verifiedAt"] = .string(proof.verifiedAt.description)
        object["version"] = .string(proof.version)
        object["publicKeyHash"] = .string(proof.publicKeyHash)
        object["transactionId"] = .string(proof.transactionIdentifier)
        object["signedAt"] = .string(proof.signedAt.rfc3339Seconds)
        object["leafDigest"] = .string(proof.leafDigest)
        object["intermediateDigest"] = .string(proof.intermediateDigest)
        object["anchor"] = .string(proof.anchor)
        // The credential may be gone, and the payment stays.
        let credential = try reader.appleCredentials(of: self.merchantID).first { $0.id == proof.publicKeyHash }
        object["merchantIdentifier"] = .string(orNull: credential?.merchantIdentifier)
        object["keyNotAfter"] = .string(orNull: credential?.notAfter?.rfc3339Seconds)
        object["checks"] = .array(proof.checkNames.map { .string($0) })
        return .object(object)
    }

    /// All that has happened with it, in the order in which it began, with what it took.
    public func timeline(in reader: any StoreReader) throws -> [JSON] {
        var entries: [TimelineEntry] = []
        if let proof = self.instrument.proof {
            entries.append(
                TimelineEntry(at: proof.verifiedAt, kind: .token, id: proof.transactionIdentifier, name: "verified"))
        }
        let recovery = try reader.job(.recover, of: self.id)
        for operation in self.operations {
            var entry = TimelineEntry(
                at: operation.begunAt, kind: .operation, id: operation.id.text, name: operation.kind.rawValue,
                state: operation.state.name, endedAt: operation.resolvedAt)
            entry.amount = operation.movedAmount
            if case .failed(let failure) = operation.state { entry.facts["failure"] = failure.name }
            entry.facts["unknownReason"] = operation.unknownReason?.rawValue
            for (name, value) in operation.answer.facts { entry.facts[name] = value }
            entries.append(entry)
            guard let inquiries = self.inquiries(about: operation, recovery) else { continue }
            var query = TimelineEntry(
                at: inquiries.latestAt, kind: .query, id: operation.id.text, name: "recover",
                state: operation.state.isResolved ? "answered" : "waiting")
            query.facts["attempts"] = "\(inquiries.count)"
            entries.append(query)
        }
        for event in try reader.events(of: self.id) {
            let deliveries = try event.deliveries(in: reader)
            var entry = TimelineEntry(
                at: event.createdAt, kind: .webhook, id: event.id.text, name: event.kind.rawValue,
                state: event.state.rawValue, endedAt: event.state == .delivered ? deliveries.last?.endedAt : nil)
            entry.facts["lastResult"] = event.lastResult
            entry.facts["attempts"] = "\(max(event.attemptsCount, deliveries.count))"
            entry.facts["operation"] = event.operationID.text
            entries.append(entry)
        }
        // What began at one moment stays in the order in which it was found.
        return entries.enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
            .map { .object($0.element.view) }
    }
}

/// One line of a payment's history.
private struct TimelineEntry {
    enum Kind: String {
        case token
        case operation
        case query
        case webhook
    }

    let at: Timestamp
    let kind: Kind
    let id: String
    let name: String
    var state: String?
    var endedAt: Timestamp?
    var amount: Money?
    var facts: [String: String] = [:]

    var view: JSONObject {
        var object = JSONObject()
        object["at"] = .string(self.at.description)
        object["endedAt"] = .string(orNull: self.endedAt?.description)
        object["milliseconds"] = self.endedAt.map { JSON(max(0, $0.milliseconds(since: self.at))) } ?? .null
        object["type"] = .string(self.kind.rawValue)
        object["id"] = .string(self.id)
        object["kind"] = .string(self.name)
        object["state"] = .string(orNull: self.state)
        object["amount"] = .string(orNull: self.amount?.decimalText)
        object["facts"] = .object(JSONObject(texts: self.facts))
        return object
    }
}
