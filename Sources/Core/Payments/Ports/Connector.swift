//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Redaction
public import Settings

/// A kind of acquirer, one for all merchants. It sees no store, and what it knows of an account it is handed.
public protocol Connector: Sendable {
    /// What accounts call it ("mpgs"), and payments.
    var name: AcquirerName { get }
    /// What an account of it is made of. What is not described here no account may have.
    var settings: [SettingDescription] { get }
    var secrets: [SecretDescription] { get }
    /// The book that the acquirer keeps in this process; `nil` for one that keeps its books elsewhere.
    var bookID: AcquirerBookID? { get }

    /// The acquirer as one account has it.
    ///
    /// Sends nothing. The gateway opens an account again when it has changed, and now and then, so this is cheap.
    /// - Throws: ``ConnectorError`` for an account that must not be used so: a sandbox account with a live host.
    func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer
    /// Whether the acquirer can be reached and takes the credentials, found out without moving money.
    func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding]
    /// What an operator may have it do with its connections: sign on, sign off, echo, change a key. None, for one that keeps
    /// no connections.
    var commands: [ConnectorCommand] { get }
    /// Does what an operator asks for. Moves no money.
    ///
    /// - Parameter command: one of ``commands``.
    /// - Returns: whether it was done, and what came of it.
    func perform(_ command: ConnectorCommand, for account: OpenedAcquirerAccount) async -> ConnectorFinding
    /// Reads what the acquirer has sent to the account's address for notices, after it has proven that it comes from there.
    ///
    /// - Returns: `nil` where the acquirer sends none.
    func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading?
    /// What it does by itself for as long as the gateway runs: it makes the connections that it keeps, signs on, echoes, and
    /// hands over what comes on them. Ends when its task is cancelled, with everything closed; one that keeps no connections
    /// ends at once.
    func run(_ reports: AcquirerReports) async
}

extension Connector {
    public var bookID: AcquirerBookID? { nil }

    public var commands: [ConnectorCommand] { [] }

    public func perform(_ command: ConnectorCommand, for account: OpenedAcquirerAccount) async -> ConnectorFinding {
        ConnectorFinding(command.name, isGood: false, "This kind of acquirer takes no commands.")
    }

    public func read(_ call: NoticeCall, for account: OpenedAcquirerAccount) -> NoticeReading? { nil }

    public func run(_ reports: AcquirerReports) async {}
}

/// What an operator may have a connector do.
public struct ConnectorCommand: Hashable, Sendable {
    /// "sign-off".
    public let name: String
    /// What it does, in a sentence.
    public let meaning: String
    /// Whether payments stop, or may fail, while or after it is done: of all merchants that share the connection.
    public let isDangerous: Bool

    public init(_ name: String, _ meaning: String, isDangerous: Bool = false) {
        self.name = name
        self.meaning = meaning
        self.isDangerous = isDangerous
    }
}

/// An acquirer account with its secrets open.
public struct OpenedAcquirerAccount: Sendable {
    public let id: AcquirerAccountID
    public let mode: Mode
    public let acceptor: CardAcceptor
    public let settings: [String: String]
    /// By name.
    public let secrets: [String: Redacted<String>]

    public init(_ account: AcquirerAccount, secrets: [String: Redacted<String>]) {
        self.init(
            id: account.id, mode: account.mode, acceptor: account.acceptor, settings: account.settings, secrets: secrets
        )
    }

    public init(
        id: AcquirerAccountID, mode: Mode, acceptor: CardAcceptor = CardAcceptor(), settings: [String: String] = [:],
        secrets: [String: Redacted<String>] = [:]
    ) {
        self.id = id
        self.mode = mode
        self.acceptor = acceptor
        self.settings = settings
        self.secrets = secrets
    }

    /// - Throws: ``ConnectorError`` for a setting that is not there.
    public func setting(_ name: String) throws(ConnectorError) -> String {
        guard let value = self.settings[name], !value.isEmpty else { throw .settingMissing(name) }
        return value
    }

    /// - Throws: ``ConnectorError`` for a secret that is not there.
    public func secret(_ name: String) throws(ConnectorError) -> Redacted<String> {
        guard let secret = self.secrets[name] else { throw .secretMissing(name) }
        return secret
    }
}

/// Why an account cannot be used.
public enum ConnectorError: Error, Hashable, Sendable, CustomStringConvertible {
    case settingMissing(String)
    case secretMissing(String)
    /// The setting has a value that this account may not have; the text says what it must be.
    case settingNotAllowed(String, must: String)
    /// The connector has no live accounts: its money would be taken by nobody.
    case sandboxOnly
    /// The acquirer is in another process, and anybody on the way could read and change what is sent to it.
    case linkNotProtected

    public var description: String {
        switch self {
        case .settingMissing(let name): "the setting \(name) is missing"
        case .secretMissing(let name): "the secret \(name) is missing"
        case .settingNotAllowed(let name, let must): "the setting \(name) must be \(must)"
        case .linkNotProtected:
            "live accounts need TLS on the link to the acquirer: whoever is on the way could read card numbers, and write "
                + "approvals"
        case .sandboxOnly: "this acquirer takes sandbox merchants only: it moves no money"
        }
    }
}

/// What a check of an account has found.
public struct ConnectorFinding: Hashable, Sendable {
    /// What was looked at: "reachable", "credentials".
    public let subject: String
    public let isGood: Bool
    /// What was found, and what to do where it is not good. Never a secret.
    public let text: String

    public init(_ subject: String, isGood: Bool, _ text: String) {
        self.subject = subject
        self.isGood = isGood
        self.text = text
    }
}

/// A connector to the one acquirer that needs no account: the simulator, in this process or behind the link.
public struct SharedAcquirerConnector: Connector {
    public let acquirer: any Acquirer
    private let takesLive: Bool

    /// - Parameter takesLive: whether live merchants may have it, which is for tests of an acquirer that moves money.
    public init(_ acquirer: any Acquirer, takesLive: Bool = false) {
        self.acquirer = acquirer
        self.takesLive = takesLive
    }

    public var name: AcquirerName { self.acquirer.name }
    public var settings: [SettingDescription] { [] }
    public var secrets: [SecretDescription] { [] }

    public func open(_ account: OpenedAcquirerAccount) throws(ConnectorError) -> any Acquirer {
        guard account.mode == .sandbox || self.takesLive else { throw .sandboxOnly }
        return self.acquirer
    }

    public func check(_ account: OpenedAcquirerAccount) async -> [ConnectorFinding] {
        [ConnectorFinding("reachable", isGood: true, "It needs no credentials.")]
    }
}
