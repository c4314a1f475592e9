//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Countries
import Foundation
import Money
public import WalletSimulator

/// A payment sheet whose customer is a script.
///
/// It keeps PassKit's manners: it asks the app about every choice, holds one authorization at a time, stays on the
/// screen after a failure so that the customer may try again, and notifies the app of its end once.
@MainActor public final class SimulatedSheet {
    public enum State: Hashable, Sendable {
        case waiting
        case authorizing
        case showing(PKPaymentAuthorizationStatus)
        /// Has notified the app that it is through.
        case closed
        case dismissed
    }

    /// Why the script can't go on.
    public struct ScriptError: Error, Hashable, Sendable, CustomStringConvertible {
        public let description: String
    }

    public let request: PKPaymentRequest
    public private(set) var state = State.waiting
    /// The lines as they are shown now; the last one is the total.
    public private(set) var items: [PKPaymentSummaryItem]
    public private(set) var card: SimulatedCard
    public private(set) var shippingMethod: PKShippingMethod?
    /// What the app found wrong with the customer's particulars at the last authorization.
    public private(set) var errors: [any Error] = []
    private let wallet: SimulatedWallet
    private let controller: PKPaymentAuthorizationController
    private var waiters: [CheckedContinuation<PKPaymentAuthorizationStatus, Never>] = []

    public var total: PKPaymentSummaryItem? { self.items.last }

    /// Nothing if PassKit would not show such a request.
    init?(request: PKPaymentRequest, wallet: SimulatedWallet, controller: PKPaymentAuthorizationController) {
        guard !request.merchantIdentifier.isEmpty, Country.alpha2Codes.contains(request.countryCode),
            Currency.alphabetic(request.currencyCode) != nil, !request.merchantCapabilities.isEmpty,
            Self.isShowable(request.paymentSummaryItems),
            let card = wallet.cards.lazy.compactMap({
                $0.preselected(by: request.supportedNetworks.map(\.rawValue))
            }).first
        else { return nil }
        self.request = request
        self.wallet = wallet
        self.controller = controller
        self.card = card
        self.items = request.paymentSummaryItems
        self.shippingMethod = request.shippingMethods?.first
    }

    /// The total must have a label and not be negative; zero only while it is pending.
    private static func isShowable(_ items: [PKPaymentSummaryItem]) -> Bool {
        guard let total = items.last, !total.label.isEmpty else { return false }
        let order = total.amount.compare(NSDecimalNumber.zero)
        return order == .orderedDescending || (order == .orderedSame && total.type == .pending)
    }

    // MARK: What the customer does

    /// Chooses another card, or another network of a co-badged one; the app may change the cart.
    public func choose(_ card: SimulatedCard) throws {
        guard self.request.supportedNetworks.contains(card.network.passKit),
            self.wallet.cards.contains(where: { $0.presented(by: card.network) == card })
        else {
            throw ScriptError(description: "the sheet does not offer that card")
        }
        guard self.isOpen else { throw ScriptError(description: "the sheet takes no choice now") }
        self.card = card
        self.chooseDefaultCard()
    }

    func chooseDefaultCard() {
        self.controller.delegate?.paymentAuthorizationController(
            self.controller, didSelectPaymentMethod: self.card.passKit
        ) { update in self.take(update) }
    }

    /// Chooses another way to ship, by its identifier.
    public func chooseShipping(_ identifier: String) throws {
        guard let method = self.request.shippingMethods?.first(where: { $0.identifier == identifier }) else {
            throw ScriptError(description: "the sheet does not offer that way to ship")
        }
        guard self.isOpen else { throw ScriptError(description: "the sheet takes no choice now") }
        self.shippingMethod = method
        self.controller.delegate?.paymentAuthorizationController(self.controller, didSelectShippingMethod: method) {
            update in self.take(update)
        }
    }

    /// Authorizes the payment: mints a token and hands it to the app. ``result()`` waits for the app's answer.
    public func authorize() throws {
        guard self.isOpen else { throw ScriptError(description: "the sheet takes no authorization now") }
        let payment = try self.payment()
        self.state = .authorizing
        self.hand(payment)
    }

    /// Hands the app a second authorization while the first is under way, which PassKit never does.
    public func authorizeAgain() throws -> Task<PKPaymentAuthorizationStatus, Never> {
        let payment = try self.payment()
        let (answers, answer) = AsyncStream.makeStream(of: PKPaymentAuthorizationStatus.self)
        self.controller.delegate?.paymentAuthorizationController(self.controller, didAuthorizePayment: payment) {
            answer.yield($0.status)
        }
        return Task {
            for await status in answers { return status }
            return .failure
        }
    }

    /// The app's answer to the authorization.
    public func result() async -> PKPaymentAuthorizationStatus {
        if case .showing(let status) = self.state { return status }
        return await withCheckedContinuation { self.waiters.append($0) }
    }

    /// The customer cancels. While an authorization is under way that is what a press of the side button does.
    public func cancel() {
        self.close()
    }

    /// The system takes the sheet away: 30 seconds without an answer, or a call comes in.
    public func disappear() {
        self.close()
    }

    /// The mark of success has been shown.
    public func finishShowing() {
        self.close()
    }

    // MARK: What the app does

    func dismiss() {
        self.state = .dismissed
        self.release(.failure)
    }

    private var isOpen: Bool { self.state == .waiting || self.state == .showing(.failure) }

    private func close() {
        guard self.state != .closed, self.state != .dismissed else { return }
        self.state = .closed
        self.controller.delegate?.paymentAuthorizationControllerDidFinish(self.controller)
    }

    private func hand(_ payment: PKPayment) {
        self.controller.delegate?.paymentAuthorizationController(self.controller, didAuthorizePayment: payment) {
            result in self.take(result)
        }
    }

    private func take(_ result: PKPaymentAuthorizationResult) {
        guard self.state == .authorizing else { return }
        self.state = .showing(result.status)
        self.errors = result.errors
        self.release(result.status)
    }

    private func take(_ update: PKPaymentRequestUpdate) {
        guard update.status == .success, Self.isShowable(update.paymentSummaryItems) else { return }
        self.items = update.paymentSummaryItems
    }

    private func release(_ status: PKPaymentAuthorizationStatus) {
        let waiters = self.waiters
        self.waiters = []
        for waiter in waiters { waiter.resume(returning: status) }
    }

    // MARK: Minting

    private func payment() throws -> PKPayment {
        let minted = try self.mint()
        let token = PKPaymentToken(
            paymentMethod: self.card.passKit, transactionIdentifier: minted.transactionIdentifier.uppercased(),
            paymentData: Data(self.wallet.mintsEmptyTokens ? [] : Array(minted.paymentDataText.utf8)))
        return PKPayment(
            token: token, billingContact: self.contact(self.request.requiredBillingContactFields),
            shippingContact: self.contact(self.request.requiredShippingContactFields),
            shippingMethod: self.shippingMethod)
    }

    private func mint() throws -> MintedToken {
        guard let currency = Currency.alphabetic(self.request.currencyCode), let total,
            let recipient = self.wallet.recipients[self.request.merchantIdentifier],
            let amount = Int64("\(total.amount.multiplying(byPowerOf10: Int16(currency.exponent)).decimalValue)")
        else {
            throw ScriptError(description: "the wallet has no key of the merchant, or the amount is no whole unit")
        }
        return try self.wallet.device.mint(
            PaymentRequest(
                merchantIdentifier: self.request.merchantIdentifier, amountMinorUnits: amount,
                currencyCode: currency.numericText, applicationData: self.request.applicationData.map { Array($0) }),
            card: self.card, recipient: recipient, signingTime: self.wallet.now())
    }

    private func contact(_ fields: Set<PKContactField>) -> PKContact? {
        guard !fields.isEmpty else { return nil }
        let contact = PKContact()
        let known = self.wallet.contact
        if fields.contains(.name) { contact.name = known.name }
        if fields.contains(.postalAddress) { contact.postalAddress = known.postalAddress }
        if fields.contains(.phoneNumber) { contact.phoneNumber = known.phoneNumber }
        if fields.contains(.emailAddress) { contact.emailAddress = known.emailAddress }
        return contact
    }
}
