//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ

/// What a server says beside its answers. It quotes rows, and libpq would write it to the standard error stream: nothing
/// of it is kept but how often it has warned without saying of what (01000), as it does of a commit that has not waited
/// for its standby. A rollback of what has ended already has a code of its own.
final class PostgreSQLNotices {
    private let warnings = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// - Parameter handle: must not be used any more when this object has gone.
    init(on handle: OpaquePointer) {
        self.warnings.initialize(to: 0)
        PQsetNoticeReceiver(
            handle,
            { warnings, notice in
                // The code is the same in all languages (postgresql.org/docs/15/protocol-error-fields.html).
                guard let code = PQresultErrorField(notice, CInt(UInt8(ascii: "C"))), String(cString: code) == "01000"
                else { return }
                warnings?.assumingMemoryBound(to: Int.self).pointee += 1
            }, self.warnings)
    }

    deinit {
        self.warnings.deallocate()
    }

    var warningsCount: Int { self.warnings.pointee }

    static func ignore(on handle: OpaquePointer) { PQsetNoticeReceiver(handle, { _, _ in }, nil) }
}
