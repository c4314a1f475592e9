//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import DialectKit
import HTTPTypes
import Money
import StrictJSON
import Synchronization
public import Time
public import WalletSimulator

/// What the browser's wallet needs of the sandbox.
public struct WalletParts: Sendable {
    public var device: SimulatedDevice
    /// The key of a merchant's newest processing certificate; `nil` for one that there is not.
    public var recipient: @Sendable (_ merchantIdentifier: String) -> ProcessingPublicKey?
    public var checkSession: MerchantSessionCheck
    /// Where the simulated Apple gives merchant sessions.
    public var apple: @Sendable () async -> AppleAddresses
    public var cards: [WalletCard]
    public var clock: @Sendable () -> Timestamp

    public init(
        device: SimulatedDevice, recipient: @escaping @Sendable (_ merchantIdentifier: String) -> ProcessingPublicKey?,
        checkSession: @escaping MerchantSessionCheck, apple: @escaping @Sendable () async -> AppleAddresses,
        cards: [WalletCard] = WalletCard.all, clock: @escaping @Sendable () -> Timestamp
    ) {
        self.device = device
        self.recipient = recipient
        self.checkSession = checkSession
        self.apple = apple
        self.cards = cards
        self.clock = clock
    }
}

/// The addresses that an `ApplePaySession` gives a page to validate its merchant at.
public struct AppleAddresses: Hashable, Sendable {
    /// The older one, `validationURL` of the event.
    public var validationURL: String
    public var paymentSessionURL: String

    public init(validationURL: String, paymentSessionURL: String) {
        self.validationURL = validationURL
        self.paymentSessionURL = paymentSessionURL
    }
}

/// The wallet behind the payment sheet of a browser: cards, merchant sessions, and real tokens by the sandbox's
/// authority.
final class Wallet: Sendable {
    private let parts: WalletParts
    private let sessions = Mutex(SessionMemory())

    init(_ parts: WalletParts) {
        self.parts = parts
    }

    func cards() async -> JSON {
        let apple = await self.parts.apple()
        return [
            "cards": .array(self.parts.cards.map(\.json)), "validationURL": .string(apple.validationURL),
            "paymentSessionURL": .string(apple.paymentSessionURL),
        ]
    }

    /// Whether a merchant session may open the sheet. It is that sheet's from then on, and no other's.
    func checkSession(_ body: JSON) throws(APIError) -> JSON {
        let session = try self.session(of: body)
        let sheetID = try Self.sheetID(of: body)
        let now = self.parts.clock()
        try Self.permit(self.sessions.withLock { $0.open(session, sheetID: sheetID, now: now) })
        return [
            "merchantIdentifier": .string(session.merchantIdentifier), "displayName": .string(session.displayName),
            "domainName": .string(session.domainName),
        ]
    }

    /// A token for what the sheet shows. Uses the session up, unless the request is refused.
    func pay(_ body: JSON) throws(APIError) -> JSON {
        let session = try self.session(of: body)
        let sheetID = try Self.sheetID(of: body)
        let request = try SheetRequest(body["request"])
        let id = try JSONAnswer.text("cardId", of: body)
        guard let card = self.parts.cards.first(where: { $0.id == id }) else {
            throw .badRequest("card_unknown", "The wallet has no such card. GET /wallet/api/cards lists them.")
        }
        let presented = try request.presented(
            card, by: body["network"] == nil ? nil : try JSONAnswer.text("network", of: body))
        guard let recipient = self.parts.recipient(session.merchantIdentifier) else {
            throw .badRequest(
                "merchant_unknown", "The sandbox has no processing certificate of the session's merchant.")
        }
        let now = self.parts.clock()
        try Self.permit(self.sessions.withLock { $0.take(session, sheetID: sheetID, now: now) })
        return ["token": try self.mint(request, presented, session.merchantIdentifier, recipient, now)]
    }

    /// The name that a sheet gives itself, at random.
    private static func sheetID(of body: JSON) throws(APIError) -> String {
        try JSONAnswer.text("sheetId", of: body, charactersMax: 64)
    }

    private static func permit(_ verdict: SessionMemory.Verdict) throws(APIError) {
        switch verdict {
        case .fresh: return
        case .otherSheet:
            throw .badRequest(
                "session_used",
                "The merchant session was used for another sheet. It can be used a single time: ask for a new one.")
        case .usedUp:
            throw .badRequest(
                "session_used",
                "The merchant session has made \(SessionMemory.tokensPerSessionMax) tokens. Ask for a new one.")
        case .full:
            throw APIError(.serviceUnavailable, "wallet_busy", "Too many sessions are in use. Try again in a moment.")
        }
    }

    private func mint(
        _ request: SheetRequest, _ card: SimulatedCard, _ merchantIdentifier: String, _ recipient: ProcessingPublicKey,
        _ now: Timestamp
    ) throws(APIError) -> JSON {
        do {
            return try self.parts.device.mint(
                PaymentRequest(
                    merchantIdentifier: merchantIdentifier, amountMinorUnits: request.amount.minorUnits,
                    currencyCode: request.amount.currency.numericText, applicationData: request.applicationData),
                card: card, recipient: recipient,
                signingTime: now.walletDate
            ).paymentToken
        } catch {
            throw APIError(
                .internalServerError, "mint_failed", "The wallet could not make the token: its authority is damaged.")
        }
    }

    private func session(of body: JSON) throws(APIError) -> MerchantSessionInfo {
        guard let session = body["merchantSession"], session.object != nil else {
            throw .malformed("merchantSession must be the object that the gateway handed on.")
        }
        let host = try JSONAnswer.text("host", of: body, charactersMax: 253)
        do throws(MerchantSessionFault) {
            return try self.parts.checkSession(session, host, self.parts.clock())
        } catch {
            throw APIError(error)
        }
    }
}

extension APIError {
    init(_ fault: MerchantSessionFault) {
        switch fault {
        case .forged:
            self = .badRequest(
                "session_forged", "The merchant session is not what the simulated Apple gave. Hand it on unchanged.")
        case .expired:
            self = .badRequest("session_expired", "The merchant session has expired. Ask for a new one.")
        case .domainDiffers:
            self = .badRequest(
                "domain_differs",
                "The merchant session is for another domain than this page's. Ask for one with the page's host name.")
        }
    }
}
