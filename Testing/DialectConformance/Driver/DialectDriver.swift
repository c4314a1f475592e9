//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Clients
public import DialectKit
public import Gateway
public import HTTPTypes
public import Money
public import TestGateway

/// Drives a dialect as a merchant's shop does, through the client that every shop uses (Sources/Clients): it makes the
/// requests and reads the answers. A driver says what only a test wants: which fields to send, what every answer must
/// have, how a request is spoiled. With one, a dialect joins the suite that every dialect passes.
///
/// How to join. In the dialect's tests:
/// 1. A type that conforms to this protocol. Say in ``lacks`` what the wire language cannot do, each with a reason.
///    Begin with ``makeDialect(_:limits:)``, ``addMerchant(to:name:)``, ``client(in:)`` and ``read(_:to:of:in:)``.
/// 2. A test suite:
///
/// ```swift
/// @Suite struct ConformanceTests {
///     static let suite = DialectConformance(NAMEDriver(), testFile: #filePath)
///
///     @Test(arguments: Self.suite.checks)
///     func passes(_ check: DialectCheck) async throws { try await Self.suite.check(check) }
///
///     @Test func listsWhatDoesNotApply() { #expect(Self.suite.notApplicable.keys.sorted() == […]) }
/// }
/// ```
/// 3. ``scenes``: an exchange for each operation and each error of the dialect that the suite's own scenes do not show.
///    Record with `POMONA_RECORD_TRANSCRIPTS=1`, then read what was recorded.
///
/// A driver is a value without state. What must be known about a payment later goes through ``DialectAnswer/handle``.
public protocol DialectDriver: Sendable {
    associatedtype Client: WireClient

    // MARK: The account

    /// What the dialect cannot do, and why: the laws that need it are not applied.
    var lacks: [DialectCapability: String] { get }
    /// Whether what the acquirer does not answer in time has failed for the merchant, and is taken back at once. Else it
    /// is pending until recovery has asked.
    var timeoutsAreFailures: Bool { get }
    /// Of every payment. Amounts of it go up to 10,000.00.
    var currency: Currency { get }
    /// Of tokens that don't fit a payment.
    var foreignCurrency: Currency { get }

    func makeDialect(_ gateway: Gateway, limits: CallerLimits) throws -> any Dialect

    /// Onboards a merchant with an account that fits ``request(_:in:)``: `test.addMerchant(…)`. Notifications must have
    /// a place to go to, from the account or from the requests.
    ///
    /// - Parameter name: "shop", or "other" for a second merchant of the same gateway.
    func addMerchant(to test: TestGateway, name: String) async throws -> TestMerchant

    // MARK: Calls

    /// What the merchant's server speaks.
    func client(in shop: DialectShop) throws -> Client

    /// Adds what the language demands of a payment, and what transcripts want to show: who pays, for what. Nothing,
    /// unless said otherwise.
    func complete(_ charge: inout ChargeFields)

    /// Takes over what the answer to the preparation has given. One that was refused gives nothing; the payment is asked
    /// for all the same, with whatever is then refused.
    func take(_ preparation: Reading, into charge: inout ChargeFields, in shop: DialectShop)

    /// The request for a call, ready to be sent: the client's, unless said otherwise. What has to be sent before it (an
    /// order) is sent here.
    ///
    /// Where a dialect lacks ``DialectCapability/sale``, `pay` is never asked for; and so on.
    func request(_ call: DialectCall, in shop: DialectShop) async throws -> WireRequest

    /// Reads an answer as the client does, and strictly beyond that: status, headers and body must be in the dialect's
    /// shape, whatever was asked.
    ///
    /// - Parameter call: `nil` for a request that was no call of the dialect's: then the answer is a refusal.
    /// - Throws: ``ShapeBroken``.
    func read(
        _ response: WireResponse, to request: WireRequest, of call: DialectCall?, in shop: DialectShop
    ) throws -> DialectAnswer

    /// The same request as it is sent once more, or after its body was changed: with a new nonce and signature where
    /// the client has them.
    func renewed(_ request: WireRequest, in shop: DialectShop) throws -> WireRequest

    /// The part of an answer that must be the same whenever the same request is repeated: the body, unless said
    /// otherwise.
    func stablePart(of response: WireResponse) -> [UInt8]

    /// The body of an answer without the time that stands in it, where one does.
    func withoutTime(_ body: [UInt8]) -> [UInt8]

    /// Whether a request proves by itself who sends it, as a signature does, so that there is nothing to guess at.
    var provesEachRequest: Bool { get }

    // MARK: Wrong requests

    /// A good request with wrong credentials, in each way that there is: unknown account, wrong password, none at all.
    func withWrongCredentials(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest]

    /// Requests that use the key of a call that was made for something else: another amount, unless said otherwise.
    func conflicting(with request: WireRequest, of call: DialectCall, in shop: DialectShop) async throws
        -> [NamedRequest]

    /// A good request with what says sandbox or live on the wire set the other way; empty where nothing says it.
    func crossed(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest]

    /// Paths below the dialect's prefixes that are none of its own.
    var unknownPaths: [String] { get }
    /// Methods that no path takes.
    var unknownMethods: [HTTPRequest.Method] { get }

    // MARK: Notifications

    /// - Throws: ``ShapeBroken``.
    func read(_ delivered: Delivered, in shop: DialectShop) throws -> DialectNotice
    /// What a merchant answers that has taken a notification: status 200 alone, unless said otherwise.
    var acknowledgement: (status: Int, body: String) { get }
    /// Answers with status 200 that are no acknowledgement; empty where any 200 is one.
    var unacknowledged: [String] { get }

    // MARK: Late results

    /// What a shop sees once an acquirer has taken back what it had approved. Every dialect says it of every case: where
    /// its language has no word for one, that nothing is sent.
    ///
    /// - Parameter payment: a query of the payment: its name, and what the answers have given.
    func view(of late: LateResult, _ payment: DialectCall, in shop: DialectShop) throws -> LateView

    // MARK: Transcripts and scrubbing

    /// What is different in every run, as regular expressions; the first group, or all of it, is replaced.
    var placeholders: [TranscriptPlaceholder] { get }
    /// Exchanges to record beside the suite's own.
    var scenes: [TranscriptScene] { get }
    /// Whether the answer to a request may show a card number (CommWeb's UNMASK, Radial's decryptblob).
    func discloses(_ request: WireRequest) -> Bool
}

extension DialectDriver {
    public var acknowledgement: (status: Int, body: String) { (200, "") }
    public func stablePart(of response: WireResponse) -> [UInt8] { response.body }
    public func withoutTime(_ body: [UInt8]) -> [UInt8] { body }
    public var timeoutsAreFailures: Bool { false }
    public var provesEachRequest: Bool { false }
    public func crossed(_ request: WireRequest, in shop: DialectShop) throws -> [NamedRequest] { [] }
    public var unknownMethods: [HTTPRequest.Method] { [.delete, .patch] }
    public var unacknowledged: [String] { [] }
    public var placeholders: [TranscriptPlaceholder] { [] }
    public var scenes: [TranscriptScene] { [] }
    public func discloses(_ request: WireRequest) -> Bool { false }

    func has(_ capability: DialectCapability) -> Bool { self.lacks[capability] == nil }
}
