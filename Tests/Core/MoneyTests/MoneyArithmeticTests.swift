//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Money
import Testing

@Suite("Arithmetic on amounts")
struct MoneyArithmeticTests {
    private func money(_ minorUnits: Int64, _ code: String = "CAD") throws -> Money {
        Money(minorUnits: minorUnits, currency: try #require(Currency.alphabetic(code)))
    }

    @Test func addsAndSubtracts() throws {
        #expect(try self.money(1000) + self.money(99) == self.money(1099))
        #expect(try self.money(1000) - self.money(1001) == self.money(-1))
        #expect(try self.money(.max) + self.money(.min) == self.money(-1))
    }

    @Test func compares() throws {
        #expect(try self.money(2) > self.money(1))
        #expect(try !(self.money(1) > self.money(1)))
        #expect(try !(self.money(-1) > self.money(1)))
    }

    @Test func knowsItsSign() throws {
        #expect(try self.money(1).isPositive)
        #expect(try !self.money(0).isPositive)
        #expect(try !self.money(-1).isPositive)
        #expect(try self.money(0).isZero)
        #expect(try !self.money(-1).isZero)
        #expect(try Money.zero(self.money(1).currency) == self.money(0))
    }

    @Test func equalsOnlyInOneCurrency() throws {
        #expect(try self.money(1) != self.money(1, "USD"))
        #expect(try Set([self.money(1), self.money(1), self.money(1, "USD")]).count == 2)
    }

    @Test(arguments: [(Int64.max, 1), (.min, -1), (.max, .max), (.min, .min)] as [(Int64, Int64)])
    func addingRefusesOverflow(_ first: Int64, _ second: Int64) throws {
        #expect(try self.money(first).adding(self.money(second)) == nil)
    }

    @Test func addingRefusesAnotherCurrency() throws {
        #expect(try self.money(1).adding(self.money(1, "USD")) == nil)
    }

    @Test func addingGivesTheSum() throws {
        #expect(try self.money(.max - 1).adding(self.money(1)) == self.money(.max))
        #expect(try self.money(.min).adding(self.money(.max)) == self.money(-1))
    }

    // MARK: - Programmer's errors trap

    @Test func trapsOnSumBeyondBounds() async {
        await #expect(processExitsWith: .failure) {
            let currency = try #require(Currency.alphabetic("CAD"))
            _ = Money(minorUnits: .max, currency: currency) + Money(minorUnits: 1, currency: currency)
        }
    }

    @Test func trapsOnSumOfTwoCurrencies() async {
        await #expect(processExitsWith: .failure) {
            let first = try #require(Currency.alphabetic("CAD"))
            let second = try #require(Currency.alphabetic("USD"))
            _ = Money(minorUnits: 1, currency: first) + Money(minorUnits: 1, currency: second)
        }
    }

    @Test func trapsOnDifferenceOfTwoCurrencies() async {
        await #expect(processExitsWith: .failure) {
            let first = try #require(Currency.alphabetic("CAD"))
            let second = try #require(Currency.alphabetic("USD"))
            _ = Money(minorUnits: 1, currency: first) - Money(minorUnits: 1, currency: second)
        }
    }

    @Test func trapsOnComparisonOfTwoCurrencies() async {
        await #expect(processExitsWith: .failure) {
            let first = try #require(Currency.alphabetic("CAD"))
            let second = try #require(Currency.alphabetic("USD"))
            _ = Money(minorUnits: 1, currency: first) > Money(minorUnits: 1, currency: second)
        }
    }
}
