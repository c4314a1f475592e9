//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shop: loads what it sells, and takes the shopper from the shelf through the sheet to the order.

import { shopServer } from "./api.js";
import { Cart } from "./cart.js";
import { directObstacle, payDirectly } from "./direct.js";
import { wordsOn } from "./dialects.js";
import { byId } from "./dom.js";
import { Exchange } from "./exchange.js";
import { shownMoney } from "./money.js";
import { OrderView } from "./order.js";
import { showCart, showDialects, showGhosts, showProducts } from "./shelf.js";
import { payWithPrime, prepareTapPay, tapPayObstacle } from "./tappay.js";

class Shop {
    constructor(config) {
        this.config = config;
        this.cart = new Cart(config.products, config.shipping);
        const wanted = new URLSearchParams(location.search).get("dialect");
        this.dialect = config.dialects.find((dialect) => dialect.name === wanted) ?? config.dialects[0];
        this.exchange = new Exchange((status) => this.orderView.learn(status));
        this.orderView = new OrderView(this.exchange);
        this.isPaying = false;
        this.preparation = 0;
    }

    open() {
        byId("pay").addEventListener("click", () => this.pay());
        byId("new-order").addEventListener("click", () => this.startAgain());
        byId("amount-pending").addEventListener("change", () => this.refreshPay());
        showDialects(this.config.dialects, this.dialect, (dialect) => {
            this.dialect = dialect;
            this.refresh();
        });
        this.refresh();
    }

    get isTapPay() { return this.dialect.name === "tappay"; }
    get isPending() { return this.isTapPay && byId("amount-pending").checked; }

    refresh() {
        byId("dialect-words").textContent = wordsOn(this.dialect.name);
        showProducts(this.config.products, this.dialect, (id) => this.change(id, 1));
        this.refreshCart();
    }

    change(id, step) {
        this.cart.change(id, step);
        this.refreshCart();
    }

    refreshCart() {
        showCart(this.cart, this.dialect, {
            onChange: (id, step) => this.change(id, step),
            onShipping: (id) => {
                this.cart.shippingId = id;
                this.refreshSums();
            },
        });
        this.refreshPay();
    }

    /** A choice of shipping changes numbers only: the radio buttons stay as they are, and with them the focus. */
    refreshSums() {
        const { currency, decimals } = this.dialect;
        byId("sum-shipping").textContent = shownMoney(this.cart.shippingPrice(currency), currency, decimals);
        byId("sum-total").textContent = shownMoney(this.cart.total(currency), currency, decimals);
        this.refreshPay();
    }

    /** Whether and what the button pays. */
    async refreshPay() {
        const { currency, decimals } = this.dialect;
        const obstacle = directObstacle() ?? (this.isTapPay ? tapPayObstacle() : undefined);
        byId("deferred").hidden = !this.isTapPay || this.cart.isEmpty;
        byId("pay-words").textContent = this.cart.isEmpty || this.isPending ? "Pay"
            : `Pay ${shownMoney(this.cart.total(currency), currency, decimals)}`;
        byId("pay-hint").textContent = this.isPending ? "Authorizes an amount that is not shown in the sheet."
            : "Opens the payment sheet. Reserves the amount; you capture it afterwards.";
        byId("pay-error").hidden = true;
        this.setObstacle(obstacle);
        this.preparation += 1;
        if (!this.isTapPay || this.cart.isEmpty || obstacle !== undefined) { return; }
        const preparation = this.preparation;
        const later = await prepareTapPay(this.config.tappay, this.dialect, this.cart, this.isPending)
            .catch((error) => error.message);
        if (preparation === this.preparation) { this.setObstacle(later); }
    }

    setObstacle(obstacle) {
        byId("unsupported").hidden = obstacle === undefined;
        byId("unsupported").textContent = obstacle ?? "";
        byId("pay").disabled = this.cart.isEmpty || this.isPaying || obstacle !== undefined;
    }

    /** The click's handler: no waiting before the sheet is asked for. */
    async pay() {
        const view = {
            note: (title, text, ok) => this.exchange.note(title, text, ok),
            onOrder: (order) => this.exchange.watch(order.orderId),
        };
        this.exchange.clear();
        this.orderView.clear();
        let outcome;
        try {
            const sheet = this.isTapPay ? payWithPrime(this.dialect, this.cart, this.isPending, view)
                : payDirectly(this.dialect, this.cart, view);
            this.setPaying(true);
            outcome = await sheet;
        } catch (error) {
            outcome = { reason: error.message };
        }
        this.setPaying(false);
        this.exchange.setBusy(false);
        this.show(outcome);
    }

    setPaying(isPaying) {
        this.isPaying = isPaying;
        byId("pay").disabled = isPaying;
        byId("pay").setAttribute("aria-busy", String(isPaying));
    }

    show({ order, result, isCancelled, reason, shippingId }) {
        if (order !== undefined && result !== undefined) {
            if (shippingId !== undefined) { this.cart.shippingId = shippingId; }
            this.orderView.show(this.dialect, order, result);
            this.showView("order-view");
            byId("order-title").focus();
            return;
        }
        const words = reason ?? (isCancelled ? "The sheet was closed. Nothing was paid." : "Nothing was paid.");
        byId("pay-error").textContent = words;
        byId("pay-error").hidden = false;
        byId("pay").focus();
    }

    startAgain() {
        // A paid cart is empty; a declined one can be tried again.
        if (!["declined", "error"].includes(byId("order-view").dataset.state)) { this.cart.empty(); }
        this.showView("cart-view");
        this.refreshCart();
        byId("checkout").focus();
    }

    showView(name) {
        for (const id of ["cart-view", "order-view"]) { byId(id).hidden = id !== name; }
        for (const input of document.querySelectorAll("#dialects input")) { input.disabled = name === "order-view"; }
    }
}

async function start() {
    byId("failure").hidden = true;
    document.body.classList.remove("failed");
    showGhosts();
    try {
        new Shop(await shopServer.config()).open();
    } catch (error) {
        byId("products").replaceChildren();
        byId("dialects").replaceChildren();
        byId("failure-reason").textContent = error.message;
        byId("failure").hidden = false;
        document.body.classList.add("failed");
    }
}

byId("retry").addEventListener("click", start);
start();
