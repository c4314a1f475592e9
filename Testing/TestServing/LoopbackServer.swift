//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Hummingbird
public import HummingbirdCore
import Logging
import NIOCore
public import ServiceLifecycle

/// A server on a free port of the loopback interface that serves while a test's body runs, and then what has come until
/// then.
///
/// A server that is cancelled drops connections that are accepted and not served yet, for which NIO ends the process
/// (swift-nio, issue 2637). So it is asked to stop, and cancelled only when that takes too long.
public enum LoopbackServer {
    /// Serves HTTP.
    public static func run<Responder: HTTPResponder, Value: Sendable>(
        _ responder: Responder, server: HTTPServerBuilder = .http1(),
        while body: (_ port: Int) async throws -> Value
    ) async throws -> Value where Responder.Context: InitializableFromSource<ApplicationRequestContextSource> {
        try await self.run(
            { onPort in
                Hummingbird.Application(
                    responder: responder, server: server,
                    configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                    onServerRunning: { onPort($0.localAddress?.port ?? 0) }, logger: self.quiet)
            }, while: body)
    }

    /// Runs a server of another kind.
    ///
    /// - Parameter service: the server; it calls what it is given once, with its port.
    public static func run<Value: Sendable>(
        _ service: (_ onPort: @escaping @Sendable (Int) -> Void) -> any Service,
        while body: (_ port: Int) async throws -> Value
    ) async throws -> Value {
        let (ports, port) = AsyncStream<Int>.makeStream()
        let service = service {
            port.yield($0)
            port.finish()
        }
        var settings = ServiceGroupConfiguration(services: [service], logger: self.quiet)
        settings.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: settings)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask {
                // A server that can't listen has no port to wait for.
                defer { port.finish() }
                try await group.run()
            }
            var result: Result<Value, any Error>?
            do {
                for await number in ports { result = .success(try await body(number)) }
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            do {
                try await tasks.waitForAll()
            } catch {
                // How it ends is no test's subject; that it has begun is.
                result = result ?? .failure(error)
            }
            return try (result ?? .failure(CancellationError())).get()
        }
    }

    private static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
