//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import BaseEncoding
import Foundation
import Redaction
import StrictJSON
import Time
import WalletSimulator

/// The directory that holds all that one gateway keeps.
///
/// ```
/// pomona.sqlite       payments, orders, ledger, merchants, sealed keys
/// acquirer.sqlite     the simulated acquirer's own book
/// master.key          seals the data keys; 64 hexadecimal digits, readable by the owner alone
/// lock                held by the process that owns the directory
/// store.location      where the payments are, if not in pomona.sqlite; readable by the owner alone
/// admin.token         of a sandbox: what its owner administers with; readable by the owner alone
/// admin.password      of a sandbox: what its owner signs in to the portal with; readable by the owner alone
/// acquirer.book       of a gateway with a link to an acquirer: which book it has met there; readable by the owner alone
/// acquirer.sign-on    of an acquirer's process: "on" or "off", as it was last said to be
/// acquirer.secret     what the ends of a link to an acquirer know; 64 hexadecimal digits, readable by the owner alone
/// ca.pem              the certificate authority of the sandbox's HTTPS, for clients to trust
/// tls/                its private key; the server's key and certificate
/// authority/          the wallet simulator's test authority
/// merchants/NAME/     what a sandbox merchant's own server would hold, and what the wallet needs to know of it
/// ```
struct DataDirectory: Hashable, Sendable {
    /// From the root on.
    let path: String
    /// The configuration of its `pomona serve`, from the root on, for a command that was given it.
    let configurationPath: String?
    /// What a command's environment names as the store (`POMONA_STORE_URL`), which may have a password in it.
    let environmentStore: Redacted<String>?
    /// The store that a command goes to, whatever is configured or remembered: one that it makes, above all.
    var namedStore: StoreLocation?

    init(path: String, configurationPath: String? = nil, environmentStore: Redacted<String>? = nil) {
        self.path = FileSystem.absolutePath(path)
        self.configurationPath = configurationPath
        self.environmentStore = environmentStore
    }

    /// The same directory for a command that goes without the configuration.
    var withoutConfiguration: DataDirectory { DataDirectory(path: self.path, environmentStore: self.environmentStore) }

    /// The one of a sandbox where none is named: in the working directory.
    static let defaultPath = ".pomona"

    /// The one of a command where none is named: that of `pomona serve` under the same environment, or a sandbox's.
    static func defaultPath(in environment: [String: String]) -> String {
        let named = environment[ConfigurationKey.dataDirectory.environmentName] ?? ""
        return named.isEmpty ? self.defaultPath : named
    }

    var storePath: String { self.file("pomona.sqlite") }
    var acquirerStorePath: String { self.file("acquirer.sqlite") }
    var masterKeyPath: String { self.file("master.key") }
    var lockPath: String { self.file("lock") }
    var storeLocationPath: String { self.file("store.location") }
    var linkSecretPath: String { self.file("acquirer.secret") }
    var acquirerBookPath: String { self.file("acquirer.book") }
    var acquirerSignOnPath: String { self.file("acquirer.sign-on") }
    var adminTokenPath: String { self.file("admin.token") }
    var adminPasswordPath: String { self.file("admin.password") }
    var appleRegistrationsPath: String { self.file("apple-registrations.json") }
    var caCertificatePath: String { self.file("ca.pem") }
    var tlsPath: String { self.file("tls") }
    var caKeyPath: String { "\(self.tlsPath)/ca-key.pem" }
    var serverCertificatePath: String { "\(self.tlsPath)/server.pem" }
    var serverKeyPath: String { "\(self.tlsPath)/server-key.pem" }
    var authorityPath: String { self.file("authority") }
    /// The wallet simulator's root certificate.
    var trustRootPath: String { self.authorityFile(.rootCertificate) }
    var merchantsPath: String { self.file("merchants") }

    private func file(_ name: String) -> String { "\(self.path)/\(name)" }

    private func authorityFile(_ name: TestAuthority.Archive.Name) -> String {
        "\(self.authorityPath)/\(name.rawValue)"
    }

    /// A command on this directory, as it can be pasted: "pomona setup --data /srv/pomona".
    func command(_ words: String...) -> String {
        self.command(words)
    }

    func command(_ words: [String]) -> String {
        // A sandbox has no configuration.
        let path = words.first == "sandbox" ? nil : self.configurationPath
        let configuration = path.map { ["--config", $0] } ?? []
        return (["pomona"] + words + ["--data", self.path] + configuration).map(\.shellQuoted).joined(separator: " ")
    }

    /// What the configuration says, and the environment; `nil` for a command that was given none.
    ///
    /// - Throws: ``CommandFailure`` `file_missing`, `configuration_…`.
    func configuration() throws(CommandFailure) -> ConfigurationValues? {
        guard let path = self.configurationPath else { return nil }
        return try ConfigurationValues(
            flags: [:], environment: ProcessInfo.processInfo.environment, fileText: try FileSystem.readText(path))
    }

    /// Makes the directory, if it is not there yet.
    func create() throws(CommandFailure) {
        try FileSystem.makePrivateDirectory(self.path)
    }

    /// - Throws: ``CommandFailure`` `file_missing`, with what to do.
    func requireStore() throws(CommandFailure) {
        guard case .sqlite(let path) = try self.storeLocation() else { return }
        guard FileSystem.exists(path) else {
            guard path == self.storePath else {
                let source = try self.configuredStore() == nil ? self.storeLocationPath : self.storeKey
                throw CommandFailure(
                    .fileMissing, stage: .dataDirectory,
                    "There is no store \(path), which \(source) names. Mount what it lies on, or restore it from a backup."
                )
            }
            throw CommandFailure(
                .fileMissing, stage: .dataDirectory,
                "There is no store in \(self.path). Name the data directory of a gateway with --data, set a merchant up "
                    + "(\(self.command("setup"))), or look at a gateway with demo merchants (\(self.command("sandbox")))."
            )
        }
    }
}

extension DataDirectory {
    /// Takes the directory for this process, for as long as the lock lives.
    ///
    /// - Throws: ``CommandFailure`` `directory_in_use`.
    func lock() throws(CommandFailure) -> DirectoryLock {
        try DirectoryLock(path: self.lockPath)
    }
}

// MARK: - The master key

extension DataDirectory {
    /// - Throws: ``CommandFailure`` `file_missing`, `file_too_open`, `file_malformed`.
    func loadMasterKey() throws(CommandFailure) -> Redacted<[UInt8]> {
        try Self.masterKey(at: self.masterKeyPath)
    }

    /// Makes the key when there is none. A store that is there needs the key that it was made with, and so a missing
    /// key is then an error.
    ///
    /// - Parameter store: where it is to be; without one, where the directory remembers it.
    func loadOrCreateMasterKey(
        store: StoreLocation? = nil, random: (Int) -> [UInt8]
    ) throws(CommandFailure) -> Redacted<[UInt8]> {
        if FileSystem.exists(self.masterKeyPath) { return try self.loadMasterKey() }
        let location = if let store { store } else { try self.storeLocation() }
        if case .sqlite(let path) = location, FileSystem.exists(path) {
            throw CommandFailure(
                .fileMissing, stage: .dataDirectory,
                "The store \(path) is there but its master key \(self.masterKeyPath) is not. \(MasterKeyChoice.places) "
                    + "If the key is lost, restore it from a backup; nothing else opens the store's secrets.")
        }
        let key = random(32)
        try FileSystem.writePrivate(Hex.encode(key) + "\n", to: self.masterKeyPath)
        return Redacted(key)
    }

    /// Reads a master key: 64 hexadecimal digits in a file that only its owner may read.
    static func masterKey(at path: String) throws(CommandFailure) -> Redacted<[UInt8]> {
        guard let key = try self.key(at: path) else {
            throw CommandFailure(
                .fileMalformed, stage: .dataDirectory,
                "The master key file \(path) must hold 64 hexadecimal digits and nothing else.")
        }
        return key
    }

    /// The 32 bytes of a file that only its owner may read; `nil` where it holds anything but 64 hexadecimal digits.
    static func key(at path: String) throws(CommandFailure) -> Redacted<[UInt8]>? {
        let digits = try FileSystem.readPrivateText(path).filter { !$0.isNewline }
        guard let key = Hex.decode(digits), key.count == 32 else { return nil }
        return Redacted(key)
    }
}

// MARK: - The wallet simulator's authority

extension DataDirectory {
    /// The test authority, which needs neither the store nor the master key.
    ///
    /// - Throws: ``CommandFailure`` `file_missing` when there is none; `SimulatorError` when a text of it is damaged.
    func loadAuthority() throws -> TestAuthority {
        var texts: [TestAuthority.Archive.Name: String] = [:]
        for name in TestAuthority.Archive.Name.allCases {
            let path = self.authorityFile(name)
            guard FileSystem.exists(path) else { continue }
            texts[name] = name.isSecret ? try FileSystem.readPrivateText(path) : try FileSystem.readText(path)
        }
        guard !texts.isEmpty else {
            throw CommandFailure(
                .fileMissing, stage: .dataDirectory,
                "There is no test authority in \(self.authorityPath). Start the sandbox once: "
                    + self.command("sandbox"))
        }
        return try TestAuthority(archive: TestAuthority.Archive(texts: texts))
    }

    /// Who issues sandbox merchants' certificates beside Apple; none where there is no test authority.
    func certificateIssuers() throws -> [MerchantCertificateIssuer] {
        let path = self.authorityFile(.merchantIntermediateCertificate)
        guard FileSystem.exists(path) else { return [] }
        return [try MerchantCertificateIssuer(certificate: try FileSystem.read(path))]
    }

    /// The wallet simulator's root; none where there is no test authority.
    func simulatorRoots() throws -> [TrustAnchor] {
        guard FileSystem.exists(self.trustRootPath) else { return [] }
        return [try TrustAnchor(certificatePEM: try FileSystem.readText(self.trustRootPath))]
    }

    func loadOrCreateAuthority(now: Timestamp) throws -> TestAuthority {
        if FileSystem.exists(self.trustRootPath) { return try self.loadAuthority() }
        let authority = try TestAuthority.make(now: now.date)
        try self.save(authority)
        return authority
    }

    /// Keeps the authority. Call it again when an RSA_v1 token has been minted, so that the leaf made for it stays.
    func save(_ authority: TestAuthority) throws {
        try FileSystem.makePrivateDirectory(self.authorityPath)
        let archive = try authority.archive()
        // The root's certificate comes last: where it is, all is.
        let names = TestAuthority.Archive.Name.allCases.filter { $0 != .rootCertificate } + [.rootCertificate]
        for name in names {
            guard let text = archive[name] else { continue }
            let path = self.authorityFile(name)
            if FileSystem.exists(path), try FileSystem.readText(path) == text { continue }
            try FileSystem.write(text, to: path, mode: name.isSecret ? FileSystem.privateFileMode : 0o644)
        }
    }
}

// MARK: - Sandbox merchants

extension DataDirectory {
    /// The names of the sandbox merchants that have a card, sorted.
    var merchantNames: [String] {
        FileSystem.names(in: self.merchantsPath).filter { FileSystem.exists(self.merchant($0).cardPath) }
    }

    func merchant(_ name: String) -> MerchantDirectory {
        MerchantDirectory(path: "\(self.merchantsPath)/\(name)", name: name)
    }

    /// - Throws: ``CommandFailure`` `merchant_unknown`, which names those that there are.
    func loadMerchant(_ name: String) throws(CommandFailure) -> MerchantCard {
        let names = self.merchantNames
        guard names.contains(name) else {
            let known = names.isEmpty ? "there is none yet: start pomona sandbox" : names.joined(separator: ", ")
            throw CommandFailure(
                .merchantUnknown, stage: .dataDirectory,
                "\(self.path) has no sandbox merchant named \(name). Merchants here: \(known).")
        }
        return try self.merchant(name).loadCard()
    }
}
