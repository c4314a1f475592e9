//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Countries
import Testing

@Suite struct CountryTests {
    @Test func everyCodeOfTwoLettersHasOneOfThree() throws {
        #expect(Country.alpha2Codes.count == 249)
        for code in Country.alpha2Codes {
            let long = try #require(Country.alpha3(ofAlpha2: code))
            #expect(code.utf8.count == 2 && long.utf8.count == 3)
            #expect(Country.alpha2(ofAlpha3: long) == code)
        }
    }

    @Test(arguments: [("AU", "AUS"), ("DE", "DEU"), ("GB", "GBR"), ("US", "USA"), ("AT", "AUT"), ("CH", "CHE")])
    func knowsCodes(_ short: String, _ long: String) {
        #expect(Country.alpha3(ofAlpha2: short) == long && Country.alpha2(ofAlpha3: long) == short)
    }

    @Test(arguments: ["", "au", "ZZ", "ZZZ", "A", "AUST", "AU ", "UK", "XKX"])
    func refusesWhatIsNoCode(_ text: String) {
        #expect(Country.alpha3(ofAlpha2: text) == nil && Country.alpha2(ofAlpha3: text) == nil)
    }
}
