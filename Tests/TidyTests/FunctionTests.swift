//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Testing

/// How long a function may be (CONTRIBUTING.md, "Style").
struct FunctionTests {
    static let codeLinesMax = 50

    @Test func functionsStayUnderTheirBound() {
        var functionsCount = 0
        for file in Repository.current.swiftSources {
            for function in SwiftFunction.all(in: file.text) {
                functionsCount += 1
                #expect(
                    function.codeLinesCount <= Self.codeLinesMax,
                    "\(file.path):\(function.line): \(function.name) has \(function.codeLinesCount) lines of code")
            }
        }
        #expect(functionsCount >= 5000)
    }

    @Test(arguments: [50, 51]) func functionOverTheBoundIsFound(count: Int) {
        let text = "struct A {\n    func long() {\n" + String(repeating: "        f()\n", count: count) + "    }\n}\n"
        let found = SwiftFunction.all(in: text)
        #expect(found == [SwiftFunction(name: "long", line: 2, codeLinesCount: count)])
        #expect((found[0].codeLinesCount > Self.codeLinesMax) == (count == 51))
    }

    @Test func commentsAndBlankLinesAreNoCode() {
        let text = """
            public init?(
                _ a: Int = { 1 }()
            ) {
                // A comment { with a brace.

                /* Another {
                   one. */
                let a = "}" // {
            }
            """
        #expect(SwiftFunction.all(in: text) == [SwiftFunction(name: "init", line: 1, codeLinesCount: 1)])
    }

    @Test func bracesInTextsAreNone() {
        let text = #"""
            @discardableResult static func text() -> String {
                let a = "{\(b.map { "}\($0)" } ?? #"{"#)"
                return """
                    } \(c(d: ")"))
                    """
            }
            func next() {}
            """#
        #expect(SwiftFunction.all(in: text).map(\.codeLinesCount) == [4, 0])
    }

    @Test func requirementsHaveNoBody() {
        let text = """
            protocol P {
                func a()
                func b(
                    _ c: Int
                ) async throws -> Int

                init(d: Int)
            }
            extension P {
                func e() { self.f() }
                func f() {
                    let init2 = self.init(d: 1)
                    return g { init2 }
                }
            }
            """
        let found = SwiftFunction.all(in: text)
        #expect(found.map(\.name) == ["e", "f"] && found.map(\.codeLinesCount) == [0, 2])
    }
}
