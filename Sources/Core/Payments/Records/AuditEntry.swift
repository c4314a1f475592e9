//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Time

/// What an operator can do, by a stable name. An open set: an entry of a later version keeps its name.
public struct AuditAct: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public var description: String { self.name }

    public static let merchantCreate = AuditAct("merchant.create")
    public static let merchantChange = AuditAct("merchant.change")
    public static let merchantState = AuditAct("merchant.state")
    public static let acquirerAdd = AuditAct("acquirer.add")
    public static let acquirerChange = AuditAct("acquirer.change")
    public static let acquirerState = AuditAct("acquirer.state")
    public static let acquirerCommand = AuditAct("acquirer.command")
    public static let routesChange = AuditAct("route.change")
    public static let accountSecrets = AuditAct("account.secrets")
    public static let accountWrite = AuditAct("account.write")
    public static let settingsChange = AuditAct("account.settings")
    public static let accountBind = AuditAct("account.bind")
    public static let signingRequest = AuditAct("certificate.request")
    public static let certificateImport = AuditAct("certificate.import")
    public static let certificateActivate = AuditAct("certificate.activate")
    public static let certificateRetire = AuditAct("certificate.retire")
    public static let domainAdd = AuditAct("domain.add")
    public static let domainRemove = AuditAct("domain.remove")
    public static let registrationMake = AuditAct("registration.make")
    public static let registrationEnd = AuditAct("registration.end")
    public static let operationDecide = AuditAct("operation.decide")
    public static let paymentCapture = AuditAct("payment.capture")
    public static let paymentVoid = AuditAct("payment.void")
    public static let paymentRefund = AuditAct("payment.refund")
    public static let dayClose = AuditAct("day.close")
    public static let settlementImport = AuditAct("settlement.import")
    public static let settlementResolve = AuditAct("settlement.resolve")
    public static let webhookSecretRotate = AuditAct("webhook.secret")
    public static let webhookResend = AuditAct("webhook.resend")
    public static let dataKeyRotate = AuditAct("keys.rotate")
    public static let dataKeyRetire = AuditAct("keys.retire")
    public static let masterKeyRotate = AuditAct("keys.master")
    public static let storeMigrate = AuditAct("store.migrate")
    public static let storeCopy = AuditAct("store.copy")
    public static let alarmEnd = AuditAct("alarm.end")
}

/// One line of the log of administrative acts. Each holds the digest of the one before, so that none can be changed,
/// taken out or put in without those after it.
public struct AuditEntry: Hashable, Sendable {
    /// From 1, without gaps.
    public let number: Int64
    public let at: Timestamp
    /// "alice@db1": who has done it, as the operating system knows him.
    public let actor: String
    public let act: AuditAct
    /// What it was done to: a merchant's name, a key's id. Empty where the act has no such thing.
    public let subject: String
    /// What else is worth knowing, by name. Never a secret, nor the value of a setting.
    public let details: [String: String]
    /// The digest of entry `number - 1`; 32 zero bytes in the first one.
    public let previousDigest: [UInt8]
    /// A keyed digest of all of the above, 32 bytes.
    public let digest: [UInt8]

    public static let digestBytesCount = 32

    public init(
        number: Int64, at: Timestamp, actor: String, act: AuditAct, subject: String, details: [String: String],
        previousDigest: [UInt8], digest: [UInt8]
    ) {
        self.number = number
        self.at = at
        self.actor = actor
        self.act = act
        self.subject = subject
        self.details = details
        self.previousDigest = previousDigest
        self.digest = digest
    }

    /// What stands for the digest of the entry before the first.
    public static let noDigest = [UInt8](repeating: 0, count: Self.digestBytesCount)

    /// Whether this entry may be written right after that one; after `nil` as the first.
    public func follows(_ earlier: AuditEntry?) -> Bool {
        self.number == (earlier?.number ?? 0) + 1 && self.previousDigest == (earlier?.digest ?? Self.noDigest)
    }

    /// What the digest is made of: every field with its length before it, so that no two entries have the same bytes.
    public var digestedBytes: [UInt8] {
        var bytes: [UInt8] = []
        func append(_ field: some Collection<UInt8>) {
            bytes += withUnsafeBytes(of: UInt64(field.count).bigEndian, Array.init)
            bytes += field
        }
        append("pomona audit entry 1".utf8)
        append("\(self.number)".utf8)
        append("\(self.at.milliseconds)".utf8)
        append(self.actor.utf8)
        append(self.act.name.utf8)
        append(self.subject.utf8)
        append("\(self.details.count)".utf8)
        for (name, value) in self.details.sorted(by: { $0.key < $1.key }) {
            append(name.utf8)
            append(value.utf8)
        }
        append(self.previousDigest)
        return bytes
    }
}
