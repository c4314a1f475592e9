//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What is asked to see whether all is well: refused calls, alarms, and the store's own clock.
public protocol WatchReading {
    /// Refused calls that fit, newest first.
    func refusedCalls(_ query: RefusedCallQuery) throws -> [RefusedCall]
    /// Alarms that have not ended, in the order in which they began. In a body of `write`, nobody else begins or ends
    /// one until it has ended.
    func standingAlarms() throws -> [Alarm]
    /// In a body of `write`, nobody else changes an alarm until it has ended.
    func alarm(_ id: AlarmID) throws -> Alarm?
    /// Alarms before one, newest first; from the newest on for `nil`.
    func alarms(before id: AlarmID?, limit: Int) throws -> [Alarm]
    /// What was seen of a kind, of a merchant's subject or, for `nil`, of all of them: by subject and number.
    func observations(
        _ kind: Observation.Kind, of merchant: MerchantID, subject: String?, limit: Int
    ) throws -> [Observation]
    /// What the store's own clock says; `nil` where it is this machine's.
    func storeTime() throws -> Timestamp?
}

/// Which refused calls, newest first, by their ids: an id begins with the millisecond of the refusal.
public struct RefusedCallQuery: Hashable, Sendable {
    /// That one alone.
    public var id: RefusedCallID?
    public var merchantID: MerchantID?
    public var dialect: DialectName?
    /// The gateway's code or the dialect's.
    public var code: String?
    public var stage: RefusedCall.Stage?
    /// Lower-case hexadecimal.
    public var publicKeyHash: String?
    public var requestID: String?
    /// Refused at or after.
    public var from: Timestamp?
    /// Refused before.
    public var to: Timestamp?
    /// Only what is older than that: the last of the page before.
    public var before: RefusedCallID?
    public var limit: Int

    public init(
        merchantID: MerchantID? = nil, dialect: DialectName? = nil, code: String? = nil,
        stage: RefusedCall.Stage? = nil, publicKeyHash: String? = nil, requestID: String? = nil,
        from: Timestamp? = nil, to: Timestamp? = nil, before: RefusedCallID? = nil, limit: Int = 100
    ) {
        self.merchantID = merchantID
        self.dialect = dialect
        self.code = code
        self.stage = stage
        self.publicKeyHash = publicKeyHash
        self.requestID = requestID
        self.from = from
        self.to = to
        self.before = before
        self.limit = limit
    }
}
