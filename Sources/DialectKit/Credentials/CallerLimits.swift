//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Gateway
public import Payments

/// What keeps callers apart: who guesses at credentials is made to wait, and who has proved to be a merchant may ask so
/// often and no more.
///
/// A dialect asks twice for each request: before it looks at the credentials (``attempt(_:account:countedAs:credential:from:)``),
/// and when it knows whose they are (``take(_:)``). Both come before anything is begun, so that whatever is refused here
/// may be sent again.
public struct CallerLimits: Sendable {
    /// Nobody waits.
    public static let none = CallerLimits(throttle: nil, rates: nil)

    private let throttle: CredentialThrottle?
    private let rates: MerchantRates?
    private let addresses: AddressRates?
    private let sessions: SessionRates?

    /// - Parameters:
    ///   - throttle: `nil` where wrong credentials have no consequence.
    ///   - rates: `nil` where merchants may ask as often as they like.
    ///   - addresses: `nil` where callers that show no secret may.
    ///   - sessions: `nil` where these may have Apple asked as often as they like.
    public init(
        throttle: CredentialThrottle?, rates: MerchantRates?, addresses: AddressRates? = nil,
        sessions: SessionRates? = nil
    ) {
        self.throttle = throttle
        self.rates = rates
        self.addresses = addresses
        self.sessions = sessions
    }

    /// A caller is about to be authenticated.
    ///
    /// - Parameters:
    ///   - account: whose the caller says to be; it need not exist.
    ///   - countedAs: under which name the address' failures are counted, where the account is itself the guess; the
    ///     account unless said otherwise.
    ///   - credential: what the caller shows and keeps showing: a password, a key. Empty where every request is proved
    ///     anew, by a signature. Kept as a keyed hash alone.
    public func attempt(
        _ dialect: DialectName, account: String, countedAs scope: String? = nil, credential: String,
        from request: WireRequest
    ) -> CredentialAttempt {
        CallNotes.note(.claimed)
        guard let throttle = self.throttle, let address = request.remoteAddress.flatMap(ClientNetwork.init) else {
            return .unlimited
        }
        return throttle.attempt(dialect, account: account, scope: scope ?? account, credential, from: address)
    }

    /// A merchant that has proved who it is asks for something.
    ///
    /// - Returns: after how many seconds it should ask again; `nil` when it may ask now.
    public func take(_ merchant: MerchantContext) -> Int? { Self.noted(self.rates?.take(merchant)) }

    private static func noted(_ seconds: Int?) -> Int? {
        CallNotes.note(seconds == nil ? .proven : .waiting)
        return seconds
    }

    /// A customer's device calls, with what is no secret. Asked before the store is.
    ///
    /// - Returns: after how many seconds its address should call again; `nil` when it may call now.
    public func takeDeviceCall(_ dialect: DialectName, from request: WireRequest) -> Int? {
        guard let addresses = self.addresses, let address = request.remoteAddress.flatMap(ClientNetwork.init) else {
            return nil
        }
        return addresses.takeDeviceCall(dialect, from: address)
    }

    /// The same of all devices that call for a merchant. They have as much as the merchant's server, and nothing of it.
    public func takeDeviceCall(of merchant: MerchantContext) -> Int? {
        Self.noted(self.rates?.take(merchant, .customers))
    }

    /// A page, or who says to be one, wants a merchant session. Asked before anything is looked up for it.
    ///
    /// - Returns: after how many seconds its address should ask again; `nil` when it may ask now.
    public func takeSession(from request: WireRequest) -> Int? {
        guard let sessions = self.sessions, let address = request.remoteAddress.flatMap(ClientNetwork.init) else {
            return nil
        }
        return sessions.take(from: address)
    }

    /// Apple is about to be asked for it in the merchant's name. All pages of a merchant together, by whatever way they
    /// ask.
    public func takeSession(of merchant: MerchantContext) -> Int? {
        Self.noted(self.sessions?.take(merchant.merchant.id, merchant.dialect))
    }

    /// Whether a refusal may be signed for a caller who has not proved who it is. A server signs many of them only for
    /// those who want to keep it busy.
    public func maySignRefusal(_ dialect: DialectName, to request: WireRequest) -> Bool {
        guard let addresses = self.addresses, let address = request.remoteAddress.flatMap(ClientNetwork.init) else {
            return true
        }
        return addresses.maySignRefusal(dialect, for: address)
    }
}

/// What is reported of callers, for logs and metrics: the dialect's name, and a merchant's id.
public enum CallerEvent: Hashable, Sendable {
    /// Credentials were wrong.
    case credentialsWrong(dialect: String)
    /// An address has guessed too often, and waits.
    case lockedOut(dialect: String)
    /// A request was refused without a look at its credentials, or was not worth a signature.
    case refused(dialect: String)
    /// A merchant's account sees many wrong credentials, from whatever addresses. Nothing is refused for that.
    case guessing(dialect: String, merchant: String)
    /// A merchant has asked too often.
    case rateExceeded(dialect: String, merchant: String)
}
