//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CLibPQ

/// What a server says beside its answers. It quotes rows, and libpq would write it to the standard error stream: nothing
/// of it is kept but how often it has warned.
final class PostgreSQLNotices {
    private let warnings = UnsafeMutablePointer<Int>.allocate(capacity: 1)

    /// - Parameter handle: must not be used any more when this object has gone.
    init(on handle: OpaquePointer) {
        self.warnings.initialize(to: 0)
        PQsetNoticeReceiver(
            handle,
            { warnings, notice in
                // As it was before the server's language (postgresql.org/docs/15/protocol-error-fields.html).
                guard let severity = PQresultErrorField(notice, CInt(UInt8(ascii: "V"))),
                    String(cString: severity) == "WARNING"
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
