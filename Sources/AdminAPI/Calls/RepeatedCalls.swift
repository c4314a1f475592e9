//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import BaseEncoding
import Crypto
import DialectKit
import Foundation
import HTTPTypes
import Payments
import StrictJSON
import Time

/// Idempotency keys: a change that is asked for again with its key is answered as it was, and not done again.
///
/// The claim of a key is written in the commit that does the act. What was answered follows in a commit of its own, sealed
/// under a key that is derived from the caller's own secret: it may hold credentials that are shown once, and neither the
/// database nor the master key opens it.
struct RepeatedCalls: Sendable {
    /// How long a key is remembered.
    static let lifetimeSeconds: Int64 = 86_400
    /// For how long an answer that is not there yet may still come: longer than any acquirer is waited for.
    private static let workSecondsMax: Int64 = 180

    static let underWay = Problem(
        .idempotencyUnderWay, "A call with this Idempotency-Key is being done. Ask again in a moment.")

    static let keyCharactersMax = 255
    /// Of a key that is kept with a payment, where the caller's id and a space stand before it: 255 in all.
    static let actKeyCharactersMax = 220

    let administration: Administration

    /// What an earlier call with the key came to; else the claim that this one is to write.
    enum Look: Sendable {
        case new(AdminClaim)
        case answered(WireResponse)
    }

    /// - Throws: ``Problem`` `idempotency_key_missing`, `idempotency_key_malformed`, `idempotency_key_used`,
    ///   `idempotency_answer_lost`; `StoreError`.
    func look(up request: WireRequest, _ caller: Caller, body: JSONObject) async throws -> Look {
        let key = try Self.key(of: request)
        let digest = Self.digest(of: request, body)
        let now = self.administration.now()
        let claimKey = AdminClaim.Key(holder: caller.holder, key: key)
        let found = try await self.administration.read { try $0.adminClaim(claimKey) }
        guard let found, found.expiresAt > now else {
            return .new(
                AdminClaim(
                    key: claimKey, digest: digest, createdAt: now, expiresAt: now.adding(seconds: Self.lifetimeSeconds))
            )
        }
        guard found.digest == digest else {
            throw Problem(
                .idempotencyKeyUsed, "This Idempotency-Key was sent with another call. Take a new key for a new call.")
        }
        guard let response = Self.open(found, caller) else {
            // The first may be at it still, an acquirer's answer long.
            guard !found.answer.isEmpty || found.createdAt.adding(seconds: Self.workSecondsMax) < now else {
                throw Self.underWay
            }
            throw Problem(
                .idempotencyAnswerLost,
                "The call has been done, and its answer was lost with the process. Read what there is now; a credential that "
                    + "was not seen can be rotated.")
        }
        return .answered(response)
    }

    /// Keeps what was answered, for whoever asks again.
    func complete(_ claim: AdminClaim, _ response: WireResponse, _ caller: Caller) async throws {
        var completed = claim
        completed.answer = try Self.seal(response, claim, caller)
        try await self.administration.complete(completed)
    }

    /// The header Idempotency-Key.
    static func key(of request: WireRequest) throws(Problem) -> String {
        guard let key = request.headers[.idempotencyKey] else {
            throw Problem(
                .idempotencyKeyMissing,
                "Send a header Idempotency-Key that is new for every new change, such as a UUID, and the same when you repeat it."
            )
        }
        guard (1...Self.keyCharactersMax).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else {
            throw Problem(
                .idempotencyKeyMalformed, "An Idempotency-Key is 1 to 255 visible ASCII characters.")
        }
        return key
    }

    /// The header Idempotency-Key of an act on a payment, which is kept with it. Two callers' keys are two keys.
    static func actKey(of call: Call) throws(Problem) -> String {
        let key = try Self.key(of: call.request)
        guard key.utf8.count <= Self.actKeyCharactersMax else {
            throw Problem(
                .idempotencyKeyMalformed,
                "An Idempotency-Key of a payment has at most \(Self.actKeyCharactersMax) characters.")
        }
        return "\(call.caller.holder) \(key)"
    }

    private static func digest(of request: WireRequest, _ body: JSONObject) -> [UInt8] {
        var hash = SHA256()
        for part in [request.method.rawValue, request.path, request.query ?? ""] {
            hash.update(data: Data(part.utf8))
            hash.update(data: [0])
        }
        hash.update(data: JSON.object(body).serialized())
        return Array(hash.finalize())
    }

    // MARK: - Sealing

    private static func seal(
        _ response: WireResponse, _ claim: AdminClaim, _ caller: Caller
    ) throws -> [UInt8] {
        let kept: JSON = [
            "status": JSON(response.status.code), "body": .string(String(decoding: response.body, as: UTF8.self)),
            "tag": .string(orNull: response.headers[.eTag]),
            "location": .string(orNull: response.headers[.location]),
        ]
        let box = try AES.GCM.seal(kept.serialized(), using: caller.sealingKey, authenticating: Self.context(of: claim))
        return Array(box.combined ?? Data())
    }

    private static func open(_ claim: AdminClaim, _ caller: Caller) -> WireResponse? {
        guard !claim.answer.isEmpty, let box = try? AES.GCM.SealedBox(combined: claim.answer),
            let bytes = try? AES.GCM.open(box, using: caller.sealingKey, authenticating: Self.context(of: claim)),
            let kept = try? JSON.parse(Array(bytes)), let status = kept["status"]?.integer,
            let body = kept["body"]?.string
        else { return nil }
        var response = WireResponse(
            status: HTTPResponse.Status(code: Int(status)), headers: [.contentType: "application/json"],
            body: Array(body.utf8))
        response.headers[.eTag] = kept["tag"]?.string
        response.headers[.location] = kept["location"]?.string
        response.headers[.idempotentReplayed] = "true"
        return response
    }

    private static func context(of claim: AdminClaim) -> Data {
        Data("\(claim.key.holder) \(claim.key.key) \(Hex.encode(claim.digest))".utf8)
    }
}

extension HTTPField.Name {
    static let idempotencyKey = HTTPField.Name.known("Idempotency-Key")
    static let idempotentReplayed = HTTPField.Name.known("Idempotent-Replayed")
}
