//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A text that ends with NUL, of C's allocator.
struct CText {
    let pointer: UnsafeMutablePointer<CChar>

    init(pointer: UnsafeMutablePointer<CChar>) {
        self.pointer = pointer
    }

    /// - Parameter text: Without U+0000, at which C would end it; JSON writes that as an escape.
    static func allocated(_ text: String) -> Self {
        var text = text
        return text.withUTF8 { utf8 in
            // Swift's own objects end the process too when there is no memory.
            guard let memory = malloc(utf8.count + 1) else { preconditionFailure("out of memory") }
            if let start = utf8.baseAddress { memcpy(memory, start, utf8.count) }
            memory.storeBytes(of: 0, toByteOffset: utf8.count, as: UInt8.self)
            return Self(pointer: memory.assumingMemoryBound(to: CChar.self))
        }
    }

    /// Overwrites the text so that no compiler leaves it out, and gives it back.
    func erase() {
        #if canImport(Darwin)
        memset_s(self.pointer, strlen(self.pointer), 0, strlen(self.pointer))
        #else
        explicit_bzero(self.pointer, strlen(self.pointer))
        #endif
        free(self.pointer)
    }
}
