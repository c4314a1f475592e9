//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import Gateway
import WalletSimulator

/// The record of refused calls knows what the gateway knew: a dialect that finds its own word for a refusal notes it.
extension DialectProbe {
    func notesWhatTheGatewayRefuses() async throws {
        let amount = self.shop.money(1000)
        for (index, forgery) in [Forgery.publicKeyHashUnknown, .signatureBitFlipped].enumerated() {
            let token = try self.shop.token(amount, options: .forged(forgery))
            let content = try await self.noted("the forgery \(forgery)", "p\(index)", self.charge(amount, token))
            // A token that is handed in by a call of its own has been refused there, and is not known to this one.
            if content.refusal == .keptTokenUnknown { continue }
            guard case .token? = content.refusal else {
                throw self.broken("a refused token noted", "\(content.refusal.map { "\($0)" } ?? "nothing")")
            }
            try self.expect(
                content.publicKeyHash == token.parts.publicKeyHash, "the hash of the key that it is sealed for")
        }
        var subject = Subject(name: "used")
        let token = try self.shop.token(amount)
        try self.expect(await self.make(self.charge(amount, token), &subject), .approved, "a payment")
        let content = try await self.noted("a token that has been used", "p9", self.charge(amount, token))
        try self.expect(
            content.refusal == .tokenReplayed || content.refusal == .keptTokenUnknown, "a used token noted",
            found: "\(content.refusal.map { "\($0)" } ?? "nothing")")
    }

    private func noted(
        _ what: String, _ name: String, _ action: DialectCall.Action
    ) async throws -> CallNotes.Content {
        let notes = CallNotes()
        var subject = Subject(name: name)
        let call = self.call(action, &subject)
        let result = await notes.during { () -> Result<DialectAnswer, any Error> in
            do {
                let request = try await self.driver.request(call, in: self.shop)
                return .success(try await self.send(request, of: call).1)
            } catch {
                return .failure(error)
            }
        }
        let verdict = try result.get().verdict
        try self.expect(verdict == .refused, "\(what): refused", found: "\(verdict)")
        let content = notes.content
        try self.expect(content.merchantID != nil, "\(what): whose account was named")
        try self.expect(content.caller == .proven, "\(what): that the caller is known", found: "\(content.caller)")
        return content
    }
}
