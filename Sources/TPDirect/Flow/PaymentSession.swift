//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import PassKit
import StrictJSON

/// Runs a ``PaymentFlow``: hands it events and does what it says. Everything happens on the main actor, one event
/// after the other.
@MainActor final class PaymentSession {
    private(set) var flow = PaymentFlow()
    private unowned let applePay: TPDApplePay
    private let surroundings: Surroundings

    /// Holds the payment and its delegate while the payment is under way.
    private var kept: (applePay: TPDApplePay, delegate: any TPDApplePayDelegate)?
    private var sheet: Sheet?
    /// The authorization that came with the event that is being handled, and the one that is under way.
    private var offered: Sheet.Authorization?
    private var underWay: Sheet.Authorization?
    private var request: Task<Void, Never>?
    private var prime: Prime?
    private var effects: [PaymentEffect] = []
    private var signals: [Sheet.Signal] = []
    private var isPaused = false

    init(applePay: TPDApplePay, surroundings: Surroundings) {
        self.applePay = applePay
        self.surroundings = surroundings
    }

    func start() {
        // Without a delegate nobody could be handed the prime, nor be notified.
        guard let delegate = self.applePay.delegate else { return }
        if self.kept == nil { self.kept = (self.applePay, delegate) }
        self.send(.start(self.obstacle))
    }

    /// Also called when a delegate is set before anything has begun.
    func delegateChanged() {
        guard self.kept != nil else { return }
        if let delegate = self.applePay.delegate {
            self.kept?.delegate = delegate
        } else {
            self.send(.appGone)
        }
    }

    func send(_ event: PaymentEvent) {
        let effects: [PaymentEffect]
        (self.flow, effects) = self.flow.reduce(event)
        self.effects += effects
        self.run()
    }

    // MARK: Effects

    /// Does one after the other; what an effect leads to (a delegate that answers at once, a sheet that asks at once)
    /// waits for its turn.
    private func run() {
        guard !self.isPaused else { return }
        self.isPaused = true
        while true {
            if !self.effects.isEmpty {
                let effect = self.effects.removeFirst()
                if effect == .dismissSheet, let sheet {
                    self.sheet = nil
                    return sheet.dismiss { self.resume() }
                }
                self.perform(effect)
            } else if !self.signals.isEmpty {
                self.receive(self.signals.removeFirst())
            } else {
                break
            }
        }
        self.isPaused = false
        if self.flow.phase == .finished || self.flow.phase == .idle { self.release() }
    }

    private func resume() {
        self.isPaused = false
        self.run()
    }

    private func release() {
        self.request = nil
        self.prime = nil
        self.offered = nil
        self.underWay = nil
        self.kept = nil
    }

    private func perform(_ effect: PaymentEffect) {
        switch effect {
        case .presentSheet: self.presentSheet()
        case .dismissSheet: break
        case .requestPrime(let request): self.requestPrime(request)
        case .dropRequest: self.request?.cancel()
        case .deliverPrime: self.deliverPrime()
        case .endAuthorization(let isSuccess):
            self.underWay?.end(isSuccess)
            self.underWay = nil
        case .refuseAuthorization:
            self.offered?.end(false)
            self.offered = nil
        case .reportStarted: self.calls?.started()
        case .reportFinished: self.calls?.finished()
        case .reportCancelled: self.calls?.cancelled()
        case .reportSucceeded: self.report(nil)
        case .reportFailed(let failure): self.report(failure)
        }
    }

    private var calls: DelegateCalls? {
        self.kept.map { DelegateCalls(delegate: $0.delegate, applePay: $0.applePay) }
    }

    private func report(_ failure: TPDFailure?) {
        guard let kept else { return }
        let result = TPDTransactionResult(
            status: failure?.status ?? 0, message: failure?.message ?? "Success",
            amount: self.applePay.cart?.totalAmount ?? NSDecimalNumber.zero,
            paymentMethod: self.applePay.consumer?.paymentMethod)
        if failure == nil {
            kept.delegate.tpdApplePay(kept.applePay, didSuccessPayment: result)
        } else {
            kept.delegate.tpdApplePay(kept.applePay, didFailurePayment: result)
        }
    }

    private func deliverPrime() {
        guard let prime else { return }
        self.applePay.consumer?.clientIP = prime.clientIP
        self.calls?.received(prime)
    }

    // MARK: The request

    private func requestPrime(_ number: Int) {
        // On a repetition the authorization is under way already.
        if let offered {
            self.underWay = offered
            self.offered = nil
        }
        guard let paymentData = self.underWay?.paymentData, let request = self.primeRequest(paymentData) else {
            return self.send(.primeFailed(request: number, TPDFailure(.lostParameter), neverLeft: false))
        }
        let client = self.surroundings.client
        // Holds the session, and through it the payment, until the answer is there or the request is dropped.
        self.request = Task {
            do throws(PrimeClient.Loss) {
                let prime = try await client.prime(request)
                if number == self.flow.request { self.prime = prime }
                self.send(.primeReceived(request: number))
            } catch {
                self.send(.primeFailed(request: number, error.failure, neverLeft: error.neverLeft))
            }
        }
    }

    private func primeRequest(_ paymentData: JSON) -> PrimeRequest? {
        let setup = self.surroundings.setup
        guard let host = setup.host, let merchant = self.applePay.merchant?.applePayMerchantIdentifier,
            let cart = self.applePay.cart
        else { return nil }
        return PrimeRequest(
            appID: setup.appId, appKey: setup.appKey, appName: self.surroundings.appName,
            appleMerchantIdentifier: merchant, isAmountPending: cart.isAmountPending, paymentData: paymentData,
            host: host)
    }
}

// MARK: - The sheet

extension PaymentSession {
    /// What stands against showing a sheet.
    private var obstacle: TPDFailure? {
        guard self.surroundings.setup.appId > 0, !self.surroundings.setup.appKey.isEmpty else {
            return TPDFailure(.notActivated)
        }
        guard TPDApplePay.canMakePayments() else { return TPDFailure(.deviceNotSupported) }
        do {
            _ = try self.sheetRequest()
            return nil
        } catch {
            return error
        }
    }

    private func sheetRequest() throws(TPDFailure) -> SheetRequest {
        try SheetRequest(
            merchant: self.applePay.merchant, consumer: self.applePay.consumer, cart: self.applePay.cart,
            systemMajorVersion: self.surroundings.systemMajorVersion)
    }

    private func presentSheet() {
        if let first = self.applePay.merchant?.shippingMethods?.first { self.applePay.cart?.shippingMethod = first }
        guard let request = try? self.sheetRequest() else { return self.send(.sheetNotShown) }
        let sheet = Sheet(request: request.passKit) { signal in
            self.signals.append(signal)
            self.run()
        }
        self.sheet = sheet
        sheet.present { isShown in
            if !isShown { self.sheet = nil }
            self.send(isShown ? .sheetShown : .sheetNotShown)
        }
    }

    private func receive(_ signal: Sheet.Signal) {
        switch signal {
        case .closed: self.send(.sheetClosed)
        case .authorized(let authorization): self.receive(authorization)
        case .choseCard(let method, let answer):
            self.applePay.consumer?.paymentMethod = method
            if let calls, let cart = self.applePay.cart { self.applePay.cart = calls.selected(method, cart: cart) }
            answer(try? self.sheetRequest().summaryItems)
        case .choseShipping(let method, let answer):
            self.applePay.cart?.shippingMethod = method
            self.calls?.selected(method)
            answer(try? self.sheetRequest().summaryItems)
        }
    }

    private func receive(_ authorization: Sheet.Authorization) {
        // A second authorization must change nothing of the first, so the flow is asked before the payment is read.
        guard self.flow.takesAuthorization else {
            return authorization.end(false)
        }
        self.take(authorization.payment)
        self.offered = authorization
        self.send(.authorized(self.admission(of: authorization)))
    }

    private func take(_ payment: PKPayment) {
        let consumer = self.applePay.consumer
        consumer?.paymentMethod = payment.token.paymentMethod
        if let contact = payment.billingContact { consumer?.billingContact = contact }
        if let contact = payment.shippingContact { consumer?.shippingContact = contact }
        if let method = payment.shippingMethod { self.applePay.cart?.shippingMethod = method }
    }

    private func admission(of authorization: Sheet.Authorization) -> PaymentEvent.Admission {
        guard authorization.paymentData != nil else {
            return .failed(TPDFailure(self.surroundings.isSimulator ? .needsDevice : .noPaymentData))
        }
        do {
            // The app may have spoilt the cart while the sheet was open.
            _ = try self.sheetRequest()
        } catch {
            return .failed(error)
        }
        let contact = authorization.payment.shippingContact ?? PKContact()
        return self.calls?.canAuthorize(contact) == false ? .refusedByApp : .allowed
    }
}
