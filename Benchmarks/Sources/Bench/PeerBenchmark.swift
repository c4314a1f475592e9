//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ApplePayToken
import Clients
import Foundation
import StrictJSON
import TestShop

/// What others publish for a part of the same, run beside ours and in turn with it. docs/performance.md says what each of
/// them leaves out.
struct PeerBenchmark {
    /// A Python that has the packages of Benchmarks/Peers/requirements.txt.
    let python: URL
    /// The folder Benchmarks/Peers.
    let scripts: URL
    /// The built `pomona`.
    let executable: URL
    let directory: URL

    static let rounds = 5
    static let paymentsCount = 1000
    /// The peer's, into an empty store each time: it writes all that it has with each change, which takes ever longer.
    static let peerPaymentsCount = 200

    func run() async throws -> [Row] {
        try self.tokens() + (try await self.payments())
    }

    // MARK: - Tokens

    private func tokens() throws -> [Row] {
        let fixture = try Fixture(now: Date())
        let tokens = try fixture.tokens(TokenBenchmark.batchCount)
        let keyring = try fixture.keyring()
        let verifier = TokenVerifier(trustRoots: [try fixture.anchor()])
        let file = self.directory.appending(path: "tokens.json")
        try Self.peerFixture(fixture, tokens).write(to: file, atomically: true, encoding: .utf8)
        let peer = try LineProcess(
            self.python, [self.scripts.appending(path: "applepay_peer.py").path, file.path])
        defer { peer.stop() }
        guard try peer.line() == "ready" else { throw BenchError("the peer applepay does not start") }
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in 0...Self.rounds {
            let seconds = try Harness.seconds {
                for token in tokens {
                    let verified = try verifier.verify(try UnverifiedToken(parsing: token), at: fixture.now)
                    _ = try verified.decrypt(with: keyring)
                }
            }
            try peer.send("\n")
            guard let peerSeconds = Double(try peer.line()) else { throw BenchError("the peer applepay says no time") }
            // The first warms up.
            guard round > 0 else { continue }
            ours.append(seconds)
            theirs.append(peerSeconds)
        }
        let microseconds = { (seconds: Double) in seconds / Double(tokens.count) * 1e6 }
        return [
            Row(
                "peers.token.applepay", "open a token, verified and decrypted, beside PyPI `applepay`",
                [Measure(microseconds(ours.median), "µs", decimals: 1)],
                floor: Measure(microseconds(theirs.median), "µs", decimals: 1, note: "decrypted, not verified"),
                ratios: zip(ours, theirs).map { $1 / $0 })
        ]
    }

    private static func peerFixture(_ fixture: Fixture, _ tokens: [[UInt8]]) throws -> String {
        let fields = try tokens.map { bytes -> JSON in
            let token = try JSON.parse(bytes)
            guard let key = token["header"]?["ephemeralPublicKey"], let data = token["data"] else {
                throw BenchError("a token has another shape")
            }
            return ["ephemeralPublicKey": key, "data": data]
        }
        let object: JSON = [
            "merchantIdentifier": .string(Fixture.merchantIdentifier),
            "privateKeyPEM": .string(fixture.key.pemRepresentation), "tokens": .array(fields),
        ]
        return object.text()
    }

    // MARK: - Payments over HTTP

    private func payments() async throws -> [Row] {
        let server = try RunningServer(executable: self.executable, directory: self.directory.appending(path: "data"))
        defer { server.stop() }
        let client = try LoadGenerator(server.announcement, lanesCount: DialectBenchmark.lanesCount)
        var ours: [Double] = []
        var theirs: [Double] = []
        for round in 0..<Self.rounds {
            let load = try DialectLoad(CommWebShop.self, server.announcement, count: Self.paymentsCount)
            let seconds = try await DialectBenchmark.pay(load, client).seconds
            let peer = try await StripePeer(self.python, in: self.directory)
            defer { peer.stop() }
            let peerSeconds = try await peer.pay(Self.peerPaymentsCount)
            guard round > 0 else { continue }
            ours.append(Double(Self.paymentsCount) / seconds)
            theirs.append(Double(Self.peerPaymentsCount) / peerSeconds)
        }
        return [
            Row(
                "peers.http.localstripe", "CommWeb: authorizations over HTTP, beside PyPI `localstripe`",
                [Measure(ours.median, "/s")],
                floor: Measure(theirs.median, "/s", note: "payment intents, the first \(Self.peerPaymentsCount)"),
                ratios: zip(ours, theirs).map { $0 / $1 })
        ]
    }
}

/// PyPI `localstripe` in a process of its own, with nothing stored.
private struct StripePeer {
    private let process: Process
    private let client: LoadGenerator
    private let paymentMethod: String

    init(_ python: URL, in directory: URL) async throws {
        let port = Int.random(in: 20_000..<30_000)
        let process = Process()
        process.executableURL = python
        process.arguments = ["-m", "localstripe", "--port", "\(port)", "--from-scratch"]
        process.currentDirectoryURL = directory
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        self.process = process
        self.client = LoadGenerator(host: "127.0.0.1", port: port, lanesCount: 16)
        do {
            self.paymentMethod = try await Self.paymentMethod(of: self.client, process)
        } catch {
            kill(process.processIdentifier, SIGKILL)
            throw error
        }
    }

    /// Asked to end it would wait a minute for its clients.
    func stop() {
        kill(self.process.processIdentifier, SIGKILL)
        self.process.waitUntilExit()
    }

    private static func post(_ path: String, _ form: String) -> ClientRequest {
        ClientRequest(
            .post, path,
            headers: [
                ("Authorization", "Bearer sk_test_pomona"), ("Content-Type", "application/x-www-form-urlencoded"),
            ], body: Array(form.utf8))
    }

    /// Waits until the server listens.
    private static func paymentMethod(of client: LoadGenerator, _ process: Process) async throws -> String {
        let form = "type=card&card[number]=4242424242424242&card[exp_month]=12&card[exp_year]=2039&card[cvc]=123"
        for _ in 0..<100 {
            guard process.isRunning else { break }
            if let answer = try? await client.drive([Self.post("/v1/payment_methods", form)]).answers.first,
                answer.status == 200, let id = try JSON.parse(answer.reply.body)["id"]?.string
            {
                return id
            }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw BenchError("the peer localstripe does not start")
    }

    /// - Returns: the seconds that so many payments took.
    func pay(_ count: Int) async throws -> Double {
        let form = "amount=1099&currency=cad&confirm=true&payment_method=\(self.paymentMethod)"
        let requests = (0..<count).map { _ in Self.post("/v1/payment_intents", form) }
        let driven = try await self.client.drive(requests)
        for answer in driven.answers {
            guard answer.status == 200, try JSON.parse(answer.reply.body)["status"]?.string == "succeeded" else {
                throw BenchError("the peer localstripe refuses: \(answer.reply.text.prefix(300))")
            }
        }
        return driven.seconds
    }
}

/// A process that is spoken with in lines.
private final class LineProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var rest = Data()

    init(_ executable: URL, _ arguments: [String]) throws {
        self.process.executableURL = executable
        self.process.arguments = arguments
        self.process.standardInput = self.input
        self.process.standardOutput = self.output
        try self.process.run()
    }

    func send(_ text: String) throws { try self.input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    func line() throws -> String {
        while true {
            if let end = self.rest.firstIndex(of: 0x0A) {
                defer { self.rest = Data(self.rest[(end + 1)...]) }
                return String(decoding: self.rest[..<end], as: UTF8.self)
            }
            let more = self.output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw BenchError("a peer's process has ended") }
            self.rest += more
        }
    }

    func stop() {
        try? self.input.fileHandleForWriting.close()
        self.process.waitUntilExit()
    }
}
