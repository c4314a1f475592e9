//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import ServiceLifecycle

/// Does passes, with a pause before each, until the process stops.
func repeatPasses(
    every milliseconds: Int64, _ sleep: @escaping @Sendable (_ milliseconds: Int64) async throws -> Void,
    _ pass: () async -> Void
) async {
    while !Task.isCancelled, !Task.isShuttingDownGracefully {
        try? await cancelWhenGracefulShutdown { try await sleep(milliseconds) }
        await pass()
    }
}
