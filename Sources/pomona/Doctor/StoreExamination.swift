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
        var location: StoreLocation?
        do {
            let known = try self.directory.storeLocation()
            location = known
            let store = try await known.openBeside()
            do {
                try await store.proveCommit(.system)
                try await store.close()
            } catch {
                try? await store.close()
                throw error
            }
            return Finding(.store, "store_writable", .good, "The store takes commits.", because: reason)
        } catch {
            // Tables of another version are nothing that room or a server helps with, and the other way round.
            let isBehind = (try? await location?.missingSteps())?.isEmpty == false
            return Finding(
                .store, "store_not_writable", .failure,
                "The store cannot be opened or takes no commits: \((error as? CommandFailure)?.message ?? "\(error)").",
                because: reason, advice: isBehind ? "Bring its tables up to date." : Self.advice(for: location),
                command: isBehind ? ["store", "migrate"] : nil)
        }
    }

    private static func advice(for location: StoreLocation?) -> String {
        switch location {
        case .sqlite(let path):
            "See that the disk of \(path) has room and is not mounted read-only, and that the file and its directory may be "
                + "written to (df, mount, ls -l)."
        case .postgreSQL:
            "See that the database server runs, is reached from here, takes this user, is no standby and has room."
        case nil: "Mend the file of the data directory that says where the store is."
        }
    }
}
