//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Money
public import Redaction
public import StrictJSON

/// A customer of a payment service in one wire language: makes its requests and reads its answers. Sends nothing, keeps
/// nothing, and asks nobody for the time.
///
/// ```swift
/// if let preparation = try client.preparation(of: charge) {
///     charge.take(client.read(try await send(preparation), to: preparation))
/// }
/// let request = try client.charge(charge)
/// let reading = client.read(try await send(request), to: request)
/// ```
///
/// A language has more requests than these; they stand beside them, under its own names.
public protocol WireClient: Sendable {
    /// The dialect's name: "commweb".
    var name: String { get }
    /// What must not be seen of what this client knows.
    var secrets: [Redacted<String>] { get }
    /// Whether a payment is captured with its authorization, and cannot be only reserved.
    var capturesAtOnce: Bool { get }

    /// How many decimals the language writes in a currency.
    func decimals(of currency: Currency) -> Int

    /// What has to be asked for before the payment; `nil` where nothing has, or where an answer has given it already.
    func preparation(of charge: ChargeFields) throws(ClientError) -> ClientRequest?
    /// Begins a payment: authorizes it, or takes the money at once.
    func charge(_ charge: ChargeFields) throws(ClientError) -> ClientRequest
    func capture(_ capture: FollowUpFields) throws(ClientError) -> ClientRequest
    func refund(_ refund: FollowUpFields) throws(ClientError) -> ClientRequest
    /// Gives a whole authorization back.
    func void(_ void: FollowUpFields) throws(ClientError) -> ClientRequest
    /// Asks how a payment stands.
    func query(_ query: FollowUpFields) throws(ClientError) -> ClientRequest

    /// A merchant session through the service, or `nil` where it has no call for that.
    func merchantSession(domain: String, validationURL: String) throws(ClientError) -> ClientRequest?
    /// Apple's session in the answer to that.
    func merchantSession(in reading: Reading) -> JSON?

    /// The same request as it is sent once more: signed anew, where a signature is of its moment.
    func renewed(_ request: ClientRequest) throws(ClientError) -> ClientRequest

    func read(_ reply: ClientReply, to request: ClientRequest) -> Reading
    func read(_ notification: ClientNotification) -> Notice
}

extension WireClient {
    public var capturesAtOnce: Bool { false }
    public func decimals(of currency: Currency) -> Int { currency.exponent }
    public func preparation(of charge: ChargeFields) throws(ClientError) -> ClientRequest? { nil }
    public func merchantSession(domain: String, validationURL: String) throws(ClientError) -> ClientRequest? { nil }
    public func merchantSession(in reading: Reading) -> JSON? { nil }
    public func renewed(_ request: ClientRequest) throws(ClientError) -> ClientRequest { request }
}
