//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Payments

/// By what a notice proves that it comes from the acquirer, and where in the call that stands.
public struct NoticeProof: Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// By nothing: whoever knows the address can send it.
        case none
        /// By a secret of the account. It proves who has sent the notice, whatever the notice says.
        case secret
        /// By a signature or a MAC, which proves what the notice says.
        case signature
    }

    public let kind: Kind
    private let find: @Sendable (NoticeCall) -> [UInt8]?
    private let replace: @Sendable (NoticeCall, [UInt8]?) -> NoticeCall

    /// - Parameters:
    ///   - find: the proof as a call has it.
    ///   - replace: the call with another one, or without any.
    public init(
        _ kind: Kind, find: @escaping @Sendable (NoticeCall) -> [UInt8]?,
        replace: @escaping @Sendable (NoticeCall, [UInt8]?) -> NoticeCall
    ) {
        self.kind = kind
        self.find = find
        self.replace = replace
    }

    public static let none = NoticeProof(.none, find: { _ in nil }, replace: { call, _ in call })

    /// The value of a header field.
    ///
    /// - Parameter name: in lower case.
    public static func header(_ name: String, _ kind: Kind) -> NoticeProof {
        NoticeProof(kind) { call in
            call.headers[name].map { Array($0.utf8) }
        } replace: { call, proof in
            var headers = call.headers
            headers[name] = proof.map { String(decoding: $0, as: UTF8.self) }
            return call.with(headers: headers, body: call.body)
        }
    }

    func proof(of call: NoticeCall) -> [UInt8]? { self.find(call) }

    func call(_ call: NoticeCall, with proof: [UInt8]?) -> NoticeCall { self.replace(call, proof) }
}

/// A call as the acquirer makes it, and what is known of its operation.
public struct GenuineNotice: Sendable {
    public let call: NoticeCall
    /// The operation that it is about.
    public let operationID: OperationID
    /// The number of the operation's request among those of its payment: ``AcquirerRequest/ordinal``.
    public let ordinal: Int?
    /// Short names of the payment's operations.
    public let shortNames: Set<String>
    /// Names of the acquirer's for the operation: ``AcquirerMemo/handles``.
    public let handles: Set<String>
    /// What has become of the operation when the notice is sent: what the acquirer answers to a query, or has in its book
    /// where it answers none.
    public let found: AcquirerQueryOutcome

    /// - Parameters:
    ///   - ordinal: for acquirers that name operations by it.
    ///   - siblings: the payment's other operations.
    public init(
        _ call: NoticeCall, of operationID: OperationID, ordinal: Int? = nil, siblings: Set<OperationID> = [],
        handles: Set<String> = [], found: AcquirerQueryOutcome
    ) {
        self.call = call
        self.operationID = operationID
        self.ordinal = ordinal
        self.shortNames = Set(siblings.union([operationID]).map(\.shortName))
        self.handles = handles
        self.found = found
    }
}
