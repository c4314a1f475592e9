//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Server
import SimulatorAcquirer
import WebFiles

extension CommandFailure {
    /// The failure that an error of building or running an ``Application`` stands for.
    init(ofServer error: any Error) {
        switch error {
        case let error as ListenerError: self.init(of: error.code.rawValue, stage: .listen, error.message)
        case let error as SimulatorBookError: self.init(of: error.code, stage: .dataDirectory, error.message)
        case let error as WebFilesError: self.init(of: error.code, stage: .webFiles, error.message)
        default: self.init(error)
        }
    }

    /// Runs a body and turns what it throws into a failure that says what to do.
    static func ofServer<Value>(_ body: () async throws -> Value) async throws(CommandFailure) -> Value {
        do {
            return try await body()
        } catch {
            throw CommandFailure(ofServer: error)
        }
    }
}
