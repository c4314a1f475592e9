//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import Testing

@testable import TPDirect

/// The rules of a cart, the three tables of deferred payments among them, cell by cell.
@Suite struct CartTests {
    enum Kind: String, CaseIterable, Sendable {
        case specific
        case pending
        case mixed

        var items: [CartContents.Item] {
            let charge = CartContents.Item(name: "Initial Charge", amount: 100)
            let perMile = CartContents.Item(name: "NT$5 per miles", amount: nil)
            return switch self {
            case .specific: [charge]
            case .pending: [perMile]
            case .mixed: [charge, perMile]
            }
        }
    }

    enum Cell: Hashable, Sendable {
        /// The total field, and the prime's life.
        case total(isDeferred: Bool)
        case amountPending(isDeferred: Bool)
        case refused(Int)
    }

    static let tables: [(Kind, Bool, Bool, Cell)] = [
        (.specific, true, true, .total(isDeferred: true)),
        (.specific, true, false, .amountPending(isDeferred: true)),
        (.specific, false, true, .total(isDeferred: false)),
        (.specific, false, false, .refused(88013)),
        (.pending, true, true, .refused(88014)),
        (.pending, true, false, .amountPending(isDeferred: true)),
        (.pending, false, true, .refused(88015)),
        (.pending, false, false, .refused(88013)),
        (.mixed, true, true, .total(isDeferred: true)),
        (.mixed, true, false, .amountPending(isDeferred: true)),
        (.mixed, false, true, .refused(88015)),
        (.mixed, false, false, .refused(88013)),
    ]

    @Test(arguments: tables)
    func holdsEachCellOfTheDeferredTables(_ row: (Kind, Bool, Bool, Cell)) {
        let (kind, isAmountPending, isShowTotalAmount, cell) = row
        let contents = CartContents(
            items: kind.items, isAmountPending: isAmountPending, isShowTotalAmount: isShowTotalAmount)
        #expect(Self.cell(contents) == cell)
    }

    private static func cell(_ contents: CartContents, systemMajorVersion: Int = 17) -> Cell {
        do {
            let plan = try contents.plan(systemMajorVersion: systemMajorVersion)
            return plan.isTotalPending
                ? .amountPending(isDeferred: plan.isDeferred) : .total(isDeferred: plan.isDeferred)
        } catch {
            return .refused(error.status)
        }
    }

    @Test func cartThatSaysNothingIsAnOrdinaryOne() {
        #expect(Self.cell(CartContents(items: Kind.specific.items)) == .total(isDeferred: false))
    }

    @Test func cartThatSaysOnlyPendingShowsAmountPending() {
        for kind in Kind.allCases {
            let contents = CartContents(items: kind.items, isAmountPending: true)
            #expect(Self.cell(contents) == .amountPending(isDeferred: true))
        }
    }

    @Test(arguments: [Kind.pending, .mixed])
    func refusesPendingItemInAnOrdinaryCart(_ kind: Kind) {
        #expect(Self.cell(CartContents(items: kind.items)) == .refused(88012))
    }

    @Test(
        arguments: [
            ([], false, 88016), ([], true, 88016), (["0"], false, 88016), (["100", "-100"], false, 88016),
            (["100", "-100.01"], true, 88016), (["NaN"], false, 88003),
        ] as [([String], Bool, Int)])
    func refusesSumsThatAreNoAmount(_ amounts: [String], _ isAmountPending: Bool, _ status: Int) {
        let contents = CartContents(
            items: amounts.map { CartContents.Item(name: "x", amount: Decimal(string: $0) ?? .nan) },
            isAmountPending: isAmountPending)
        #expect(Self.cell(contents) == .refused(status))
    }

    @Test(arguments: [
        (Kind.pending, "", 12, "1"), (.pending, "", 13, "0"), (.mixed, "0", 12, "1"), (.mixed, "0", 13, "0"),
        (.mixed, "100", 12, "100"), (.specific, "0", 12, "1"), (.specific, "100", 12, "100"),
    ])
    func givesOldSystemsATotalOfOne(_ kind: Kind, _ amount: String, _ system: Int, _ total: String) throws {
        var items = kind.items
        for index in items.indices where items[index].amount != nil { items[index].amount = Decimal(string: amount) }
        let plan = try CartContents(items: items, isAmountPending: true).plan(systemMajorVersion: system)
        #expect(plan.total == Decimal(string: total))
        #expect(plan.isTotalPending)
    }

    @Test func aShownTotalIsNeverReplacedByOne() throws {
        let contents = CartContents(items: Kind.mixed.items, isAmountPending: true, isShowTotalAmount: true)
        #expect(try contents.plan(systemMajorVersion: 12).total == 100)
    }

    @Test func countsHiddenItemsAndDiscountsAndShowsOnlyTheVisible() throws {
        let contents = CartContents(items: [
            .init(name: "Book", amount: 100), .init(name: "Fee", amount: Decimal(string: "9.50"), isVisible: false),
            .init(name: "Discount", amount: -1),
        ])
        let plan = try contents.plan(systemMajorVersion: 17)
        #expect(plan.total == Decimal(string: "108.50"))
        #expect(plan.lines.map(\.name) == ["Book", "Discount"])
    }

    @Test(arguments: [("60", "160", ["Book", "Post"]), ("0", "100", ["Book"])])
    func addsTheChosenShipping(_ price: String, _ total: String, _ lines: [String]) throws {
        let contents = CartContents(
            items: [.init(name: "Book", amount: 100)],
            shipping: .init(name: "Post", amount: Decimal(string: price)))
        let plan = try contents.plan(systemMajorVersion: 17)
        #expect(plan.total == Decimal(string: total))
        #expect(plan.lines.map(\.name) == lines)
    }

    // MARK: TPDCart

    private static func item(_ name: String, _ amount: String) -> TPDPaymentItem {
        TPDPaymentItem(itemName: name, withAmount: NSDecimalNumber(string: amount))
    }

    @Test func addsUpdatesRemovesAndFetches() {
        let cart = TPDCart()
        let book = Self.item("Book", "100.00")
        let pen = Self.item("Pen", "20.00")
        cart.add(book)
        cart.add([pen, TPDPaymentItem(itemName: "Fee", withAmount: 5, withIsVisible: false)])
        #expect(cart.fetchAllPaymentItems().map(\.itemName) == ["Book", "Pen", "Fee"])
        #expect(cart.totalAmount == NSDecimalNumber(string: "125"))
        cart.updateCart(Self.item("Pencil", "10.00"), with: 1)
        cart.updateCart(pen, with: 3)
        cart.updateCart(pen, with: -1)
        cart.remove(book)
        cart.remove(pen)
        #expect(cart.fetchAllPaymentItems().map(\.itemName) == ["Pencil", "Fee"])
        #expect(cart.totalAmount == NSDecimalNumber(string: "15"))
    }

    @Test func totalIsNilWhileNothingHasAnAmount() {
        let cart = TPDCart()
        #expect(cart.totalAmount == nil)
        cart.add(TPDPaymentItem.pendingPaymentItem(withItemName: "NT$5 per miles"))
        #expect(cart.totalAmount == nil)
    }

    @Test func pendingItemIsVisibleAndPending() {
        let item = TPDPaymentItem.pendingPaymentItem(withItemName: "NT$5 per miles")
        #expect(item.type == .pending)
        #expect(item.isVisible)
        #expect(item.amount == NSDecimalNumber.zero)
    }

    @Test func amountsKeepTheirDecimals() {
        let cart = TPDCart()
        cart.add([Self.item("a", "0.10"), Self.item("b", "0.20")])
        #expect(cart.totalAmount?.stringValue == "0.3")
    }

    @Test func hasTheDocumentedDefaults() {
        let cart = TPDCart()
        #expect(!cart.isAmountPending)
        #expect(!cart.isShowTotalAmount)
        #expect(cart.shippingType == .shipping)
        #expect(cart.shippingMethod?.identifier == nil)
    }

    @Test func sayingFalseIsNotSayingNothing() {
        let cart = TPDCart()
        cart.add(Self.item("Book", "100.00"))
        #expect(Self.cell(cart.contents) == .total(isDeferred: false))
        cart.isShowTotalAmount = false
        #expect(Self.cell(cart.contents) == .refused(88013))
        cart.isShowTotalAmount = true
        #expect(Self.cell(cart.contents) == .total(isDeferred: false))
    }

    @Test func itemWithoutAnAmountIsLost() {
        let cart = TPDCart()
        cart.add(TPDPaymentItem(itemName: "Book", withAmount: nil))
        #expect(Self.cell(cart.contents) == .refused(88003))
    }
}
