//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Administration
import Payments

/// Whether the store of a data directory can be reached and takes a commit, beside whoever serves it.
struct StoreExamination: Sendable {
    let directory: DataDirectory

    /// What is committed leaves nothing behind.
    func finding() async -> Finding {
        let reason = "What cannot be made durable is refused."
        do {
            let store = try await self.directory.storeLocation().openBeside()
            do {
                try await store.proveCommit(.system)
                try await store.close()
            } catch {
                try? await store.close()
                throw error
            }
            return Finding(.store, "store_writable", .good, "The store takes commits.", because: reason)
        } catch {
            return Finding(
                .store, "store_not_writable", .failure,
                "The store cannot be opened or takes no commits: \((error as? CommandFailure)?.message ?? "\(error)").",
                because: reason,
                advice:
                    "See that its disk has room, that its server runs and may be written to, and that it is up to date.",
                command: ["store", "migrate"])
        }
    }
}
