//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

@_spi(Administration) import Gateway
public import Payments
public import StrictJSON
import Time

/// A message to the operator: that an alarm has begun, or has ended.
public struct AlarmMessage: Sendable {
    public let alarm: Alarm
    public let message: Alarm.Message
    /// From 1.
    public var attempt: Int { self.alarm.attemptsCount }
    /// What is signed, and what a receiver knows a repeated message by: "alm_…-begun".
    public var id: String { "\(self.alarm.id)-\(self.message.rawValue)" }

    /// JSON.
    public var body: [UInt8] {
        var object = JSONObject()
        object["event"] = .string("alarm.\(self.message.rawValue)")
        for (name, value) in self.alarm.view.members { object[name] = value }
        // What it was when it began, where it has ended meanwhile.
        if self.message == .begun { object["endedAt"] = nil }
        return JSON.object(object).serialized()
    }
}

extension Administration {
    /// How long a message is left to the node that has taken it: more than an attempt may take.
    private static let leaseSeconds: Int64 = 60
    /// After how many seconds a message is tried again, by how often it was: for ever, at last once an hour.
    private static let pausesSeconds: [Int64] = [10, 30, 60, 120, 300, 600, 1800, 3600]

    /// How many are taken at once.
    private static let messagesMax = 16

    /// Takes messages that are due.
    ///
    /// - Throws: `StoreError`.
    public func dueAlarmMessages() async throws -> [AlarmMessage] {
        let now = self.now()
        let end = now.adding(seconds: Self.leaseSeconds)
        // No pause and no lease puts it there, whichever node's clock was asked: the clock has been set back since.
        let latest = now.adding(seconds: 2 * (Self.pausesSeconds.max() ?? 0))
        let alarms = try await self.gateway.store.write { transaction in
            for var alarm in try transaction.standingAlarms() where alarm.dueAt.map({ $0 > latest }) == true {
                alarm.dueAt = now
                try transaction.update(alarm)
            }
            return try transaction.leaseAlarms(dueBy: now, until: end, limit: Self.messagesMax)
        }
        return alarms.compactMap { alarm in
            alarm.pendingMessage.map { AlarmMessage(alarm: alarm, message: $0) }
        }
    }

    /// Records whether the operator's server has taken a message.
    ///
    /// - Throws: `StoreError`.
    public func record(_ message: AlarmMessage, isTaken: Bool) async throws {
        let now = self.now()
        let pause = Self.pausesSeconds[min(max(0, message.attempt - 1), Self.pausesSeconds.count - 1)]
        let id = message.alarm.id
        try await self.gateway.store.write { transaction in
            // As it is now: it may have ended while its beginning was sent.
            guard var alarm = try transaction.alarm(id), alarm.pendingMessage == message.message else { return }
            if isTaken {
                let hasEnd = message.message == .begun && alarm.endedAt != nil && !alarm.isSuperseded
                alarm.pendingMessage = hasEnd ? .ended : nil
                alarm.dueAt = hasEnd ? now : nil
                // What is left says that its beginning was reported.
                if hasEnd { alarm.attemptsCount = 0 }
            } else {
                alarm.dueAt = now.adding(seconds: pause)
            }
            try transaction.update(alarm)
        }
    }
}

extension Alarm {
    /// As the people of one merchant see it: neither whose else it is nor which machine of the gateway's has found it.
    func asSeen(by merchant: Merchant) -> Alarm {
        // Behind the node and the owners, whose names may stand in the node's path, too.
        let path = "/" + self.subject
        let own = path.ranges(of: "/\(self.merchant ?? "")/").last.map { String(path[$0.upperBound...]) }
        return Alarm(
            id: self.id, kind: self.kind, subject: own ?? self.subject,
            merchant: merchant.name, severity: self.severity, code: self.code, step: self.step, text: self.text,
            advice: self.advice, begunAt: self.begunAt, endedAt: self.endedAt)
    }

    public var view: JSONObject {
        var object = JSONObject()
        object["id"] = .string(self.id.text)
        object["kind"] = .string(self.kind.rawValue)
        object["subject"] = .string(self.subject)
        object["merchant"] = self.merchant.map(JSON.string)
        object["severity"] = .string(self.severity.rawValue)
        object["code"] = .string(self.code)
        object["days"] = self.step.map { JSON($0) }
        object["text"] = .string(self.text)
        object["advice"] = self.advice.isEmpty ? nil : .string(self.advice)
        object["begunAt"] = .string(self.begunAt.description)
        object["endedAt"] = self.endedAt.map { .string($0.description) }
        return object
    }
}
