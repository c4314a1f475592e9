//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import BaseEncoding
import Payments
import Redaction

extension AcquirerProbe {
    /// PCI DSS 4.0.1, 3.3.1: what proves a payment is not kept once it has been authorized. A number may be, in the part
    /// that ends, of a connector that says so.
    mutating func memosHoldNoAuthenticationData() async throws {
        try await self.authorized()
        let captureID = self.nextID()
        try self.expectApproved(await self.capture(captureID, self.fifths(5)), self.fifths(5), "a capture")
        for memo in [self.authorizationID, captureID].map(self.memo) {
            let lasting = memo.entries.values.map { $0.reveal() } + memo.handles
            let all = lasting + memo.cardData.values.map { $0.reveal() }
            try self.expect(
                memo.cardData.isEmpty || self.acquirer.capabilities.cardData != nil,
                "card data only where the capabilities say for how long it is kept")
            guard case .networkToken(let token) = self.values.instrument else {
                guard case .sealedApplePayToken(let sealed) = self.values.instrument else { return }
                let text = String(decoding: sealed.paymentData.reveal(), as: UTF8.self)
                try self.expect(!all.contains { $0.contains(text) }, "a memo without the sealed token")
                continue
            }
            let number = token.pan.reveal()
            try self.expect(!lasting.contains { $0.contains(number) }, "the number in the card data alone")
            try self.expect(!all.contains(where: token.proof.isShown), "a memo without the proof")
        }
    }
}

extension NetworkToken.Proof {
    /// Whether a text has it, in one of the forms in which it is usually written.
    fileprivate func isShown(by text: String) -> Bool {
        switch self {
        case .cryptogram(let bytes), .emv(let bytes, _):
            let bytes = bytes.reveal()
            return [Base64.encode(bytes), Hex.encode(bytes)].contains {
                text.contains($0) || text.lowercased().contains($0.lowercased())
            }
        case .securityCode(let code): return code.map { text == $0.reveal() } ?? false
        }
    }
}
