//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves while the body runs, and then what has come until then.
    ///
    /// A server that is cancelled drops connections that are accepted and not served yet, for which NIO ends the process
    /// (swift-nio, issue 2637). So it is asked to stop, and cancelled only when that takes too long.
    func serve<Value: Sendable>(while body: @escaping @Sendable () async throws -> Value) async throws -> Value {
        var configuration = ServiceGroupConfiguration(services: [self], logger: self.logger)
        configuration.maximumGracefulShutdownDuration = .seconds(5)
        let group = ServiceGroup(configuration: configuration)
        return try await withTaskGroup(of: ServedEnd<Value>.self) { tasks in
            tasks.addTask {
                do {
                    try await group.run()
                    return .server(nil)
                } catch {
                    return .server(error)
                }
            }
            tasks.addTask {
                let outcome: Result<Value, any Error>
                do { outcome = .success(try await body()) } catch { outcome = .failure(error) }
                await group.triggerGracefulShutdown()
                return .body(outcome)
            }
            var (trouble, outcome) = (nil as (any Error)?, Result<Value, any Error>.failure(CancellationError()))
            for await end in tasks {
                switch end {
                case .body(let ended): outcome = ended
                case .server(let error):
                    trouble = error
                    // A server that can't listen leaves the body waiting for it.
                    if error != nil { tasks.cancelAll() }
                }
            }
            return outcome.mapError { trouble ?? $0 }
        }.get()
    }
}

/// Which of the two has ended.
private enum ServedEnd<Value: Sendable>: Sendable {
    case server((any Error)?)
    case body(Result<Value, any Error>)
}
