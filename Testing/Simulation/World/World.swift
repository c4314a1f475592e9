//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Gateway
import Logging
import MemoryStore
import Payments
import Redaction
import SimulatorAcquirer
import Synchronization
import TestGateway
import TestRandom
import Time

/// Everything there is in one history: nodes on one store, an acquirer with its own book, shops, and a scheduler in whose
/// time all of it happens.
final class World: Sendable {
    static let dialect = DialectName("simulated")
    static let accountKey = "shop"
    static let start = Timestamp(seconds: Int64(TestAuthorities.now.timeIntervalSince1970))
    private static let masterKey = Redacted([UInt8](repeating: 7, count: 32))

    struct State {
        var random: SeededRandom
        var weather: Weather
        var nodes: [NodeProcess?]
        /// How far the clocks of the nodes' machines are off.
        var clockOffsets: [Int64]
        var processesCount = 0
        var workersAreOn = true
        /// What has been paid with: an operation for each card's proof.
        var proofs: [[UInt8]: OperationID] = [:]
        /// What the acquirer has reported by itself.
        var reports: [SentReport] = []
    }

    let seed: UInt64
    let settings: SimulationSettings
    let scheduler: Scheduler
    /// Where shops, the network and the acquirer run: it is never stopped.
    let outside: ScheduledExecutor
    let record = Record()
    let store: CheckedStore
    let book: SimulatorBook
    let webhooks: WebhookEndpoint
    let gatewaySettings: GatewaySettings
    /// What the acquirer is like, and whether it repeats amounts in the answer to a reversal.
    let behavior: SimulatorBehavior
    let repeatsAmounts: Bool
    let usesTokens: Bool
    private let steadyStart = ContinuousClock.now
    let state: Mutex<State>

    init(seed: UInt64, settings: SimulationSettings) throws {
        var random = SeededRandom(seed: seed)
        self.seed = seed
        self.settings = settings
        self.scheduler = Scheduler(seed: random.next())
        self.outside = self.scheduler.makeExecutor()
        self.store = CheckedStore(SpoiledStore(MemoryStore(), bug: settings.bug), record: self.record)
        self.book = try SimulatorBook.inMemory(worksInPlace: true)
        self.webhooks = WebhookEndpoint(record: self.record)
        let nodesCount = Int.random(in: settings.nodes, using: &random)
        // Longer than all steps of a clock together: whose clock is ahead believes too soon that the quiet time is over.
        let recoveries: [AcquirerCapabilities.Recovery] = [
            .queryThenReversal, .queryThenReversal, .reversal, .query(quietSeconds: 14_400),
        ]
        let drawn = recoveries.randomElement(using: &random) ?? .queryThenReversal
        // By the seed, as below. What is wrong with the parts is looked for where everything ends by itself.
        let reporting: AcquirerCapabilities.Recovery? =
            switch seed % 11 {
            case 5: .reports(repeats: true)
            case 7: .reports(repeats: false)
            default: nil
            }
        let recovery = settings.bug == nil ? reporting ?? drawn : drawn
        let findsAfterSeconds: Int64 =
            recovery.quietSeconds == nil ? 0 : [0, 30].randomElement(using: &random) ?? 0
        // By the seed, so that the histories of all other seeds stay what they were.
        self.behavior = SimulatorBehavior(
            recovery: recovery, findsAfterSeconds: findsAfterSeconds,
            acceptsForSeconds: recovery.answersQueries && seed % 7 == 3 ? 120 : 0,
            namesOperations: settings.bug == nil && seed % 5 == 2,
            refusesRepeats: settings.bug == nil
                && (recovery.answersQueries && seed % 13 == 4 || recovery == .reports(repeats: false)))
        self.repeatsAmounts = Int.random(in: 0..<4, using: &random) > 0
        self.usesTokens = Int.random(in: 0..<4, using: &random) == 0
        var gatewaySettings = GatewaySettings()
        gatewaySettings.ownsStore = nodesCount == 1 && Bool.random(using: &random)
        gatewaySettings.jobLeaseSeconds = [2, 30].randomElement(using: &random) ?? 30
        self.gatewaySettings = gatewaySettings
        self.state = Mutex(
            State(
                random: SeededRandom(seed: random.next()),
                weather: settings.hasFaults ? Weather(using: &random) : .calm,
                nodes: Array(repeating: nil, count: nodesCount),
                clockOffsets: Array(repeating: 0, count: nodesCount)))
    }

    // MARK: - Chance and time

    func draw<Value>(_ body: (inout SeededRandom) -> Value) -> Value {
        self.state.withLock { body(&$0.random) }
    }

    func number(in range: ClosedRange<Int64>) -> Int64 { self.draw { Int64.random(in: range, using: &$0) } }

    func happens(percent: Int) -> Bool {
        percent > 0 && self.draw { Int.random(in: 0..<100, using: &$0) < percent }
    }

    /// Whether something goes wrong now. It is noted and counted.
    func strikes(_ fault: SimulatedFault, percent: KeyPath<Weather, Int>, _ whom: String) -> Bool {
        guard self.happens(percent: self.weather[keyPath: percent]) else { return false }
        self.strike(fault, whom)
        return true
    }

    func strike(_ fault: SimulatedFault, _ whom: String) {
        self.record.count(fault)
        self.note("\(whom): \(fault.rawValue)")
    }

    var weather: Weather { self.state.withLock { $0.weather } }

    func note(_ line: String) {
        self.record.note("\(self.scheduler.milliseconds) \(line)")
    }

    func sleep(milliseconds: ClosedRange<Int64>) async throws {
        try await self.scheduler.sleep(milliseconds: self.number(in: milliseconds))
    }

    var nodesCount: Int { self.state.withLock { $0.nodes.count } }

    func clock(of index: Int) -> Timestamp {
        let offset = self.state.withLock { $0.clockOffsets[index] }
        return Self.start.adding(milliseconds: self.scheduler.milliseconds + offset)
    }

    // MARK: - Nodes

    func process(_ index: Int) -> NodeProcess? { self.state.withLock { $0.nodes[index] } }

    /// What a process of a node is made of.
    func parts(for process: NodeProcess) -> GatewayParts {
        let bytes = SeededBytes(seed: self.draw { $0.next() })
        var parts = GatewayParts(
            store: NodeStore(process: process, world: self),
            connectors: [SharedAcquirerConnector(Road(process: process, world: self))],
            masterKeys: .fixed(Self.masterKey), settings: self.gatewaySettings,
            clock: { self.clock(of: process.index) }, random: { bytes.next($0) },
            sleep: { try await self.scheduler.sleep(milliseconds: $0) },
            logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() })
        parts.steadyClock = { self.steadyStart + .milliseconds(self.scheduler.milliseconds) }
        parts.taskExecutor = process.executor
        parts.sandboxTrustRoots = (try? TokenPool.shared.get().trustRoots) ?? []
        parts.sandboxCertificateIssuers = (try? TokenPool.shared.get().certificateIssuers) ?? []
        return parts
    }

    func makeProcess(_ index: Int) -> NodeProcess {
        let executor = self.scheduler.makeExecutor()
        return self.state.withLock { state in
            state.processesCount += 1
            let process = NodeProcess(index: index, number: state.processesCount, executor: executor)
            state.nodes[index] = process
            return process
        }
    }

    /// Starts a node, again and again until the store lets it.
    func boot(_ index: Int) async {
        while true {
            let process = self.makeProcess(index)
            let hasStarted = await Task(executorPreference: process.executor) {
                do {
                    let gateway = try await Gateway.start(self.parts(for: process))
                    try await gateway.prepareRecovery()
                    process.serve(gateway)
                    return true
                } catch {
                    return false
                }
            }.value
            if hasStarted, process.isAlive {
                self.note("\(process.name) has started")
                self.startWorkers(of: process)
                return
            }
            // Killed while it started: whoever killed it starts the next.
            guard process.isAlive else { return }
            process.end()
            guard (try? await self.scheduler.sleep(milliseconds: 1000)) != nil else { return }
        }
    }

    /// Releases everything, so that nothing holds anything else.
    func close() {
        let nodes = self.state.withLock { state in
            defer { state.nodes = [] }
            return state.nodes
        }
        for process in nodes { process?.end() }
    }
}

/// How a shop's call ended.
enum Reply<Value: Sendable>: Sendable {
    case answered(Value)
    case refused(GatewayRefusal)
    /// No answer.
    case lost
}

extension World {
    /// A shop's call of a node, over a network that has nothing to lose but the node.
    func call<Value: Sendable>(
        _ index: Int, _ body: @escaping @Sendable (Gateway) async throws(GatewayRefusal) -> Value
    ) async -> Reply<Value> {
        self.record.countCall()
        guard (try? await self.sleep(milliseconds: 0...20)) != nil else { return .lost }
        guard let process = self.process(index), let gateway = process.gateway else { return .lost }
        let patience: Int64? =
            self.happens(percent: self.weather.impatience) ? self.number(in: 50...40_000) : nil
        return await withCheckedContinuation { continuation in
            let once = Once(continuation)
            guard let call = process.expect({ once.resume(.lost) }) else { return once.resume(.lost) }
            Task(executorPreference: process.executor) {
                let reply: Reply<Value>
                do throws(GatewayRefusal) {
                    reply = .answered(try await body(gateway))
                } catch {
                    reply = .refused(error)
                }
                process.forget(call)
                once.resume(process.isAlive ? reply : .lost)
            }
            guard let patience else { return }
            self.strike(.shopImpatient, process.name)
            Task(executorPreference: self.outside) {
                guard (try? await self.scheduler.sleep(milliseconds: patience)) != nil else { return }
                once.resume(.lost)
            }
        }
    }
}

/// Bytes that are the same for the same seed.
final class SeededBytes: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) {
        self.random = Mutex(SeededRandom(seed: seed))
    }

    func next(_ count: Int) -> [UInt8] {
        self.random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next() >> 11) } }
    }
}
