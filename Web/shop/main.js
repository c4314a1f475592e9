//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The shop: loads what it sells, and takes the shopper from the shelf through the sheet to the order.

import { shopServer } from "./api.js";
import { Cart } from "./cart.js";
import { directObstacle, payDirectly } from "./direct.js";
import { dialectWords } from "./dialects.js";
import { announce, byId } from "./dom.js";
import { Exchange } from "./exchange.js";
import { shownMoney } from "./money.js";
import { OrderView } from "./order.js";
import { Orders } from "./orders.js";
import { CartBar, showCart, showDialects, showGhosts, showProducts } from "./shelf.js";
import { storage } from "./storage.js";
import { payWithPrime, prepareTapPay, tapPayObstacle } from "./tappay.js";

// After these the money is taken, or nobody knows: the goods are bought.
const boughtStates = ["authorized", "captured", "unknown"];

class Shop {
    constructor(config) {
        this.config = config;
        this.cart = new Cart(config.products, config.shipping);
        const kept = storage.loadCart();
        this.cart.restore(kept);
        const wanted = new URLSearchParams(location.search).get("dialect") ?? kept.dialect;
        this.dialect = config.dialects.find((dialect) => dialect.name === wanted) ?? config.dialects[0];
        this.exchange = new Exchange(config.upstream, (order) => this.learn(order));
        this.orders = new Orders((order) => this.select(order));
        this.orderView = new OrderView(this.exchange, (order) => this.learn(order));
        this.cartBar = new CartBar();
        this.isPaying = false;
        this.preparation = 0;
        /** The goods of an order of which nobody knows yet whether it is paid. */
        this.awaited = undefined;
    }

    open() {
        byId("pay").addEventListener("click", () => this.pay());
        byId("order-close").addEventListener("click", () => this.closeOrder());
        byId("amount-pending").addEventListener("change", () => this.refreshPay());
        showDialects(this.config.dialects, this.dialect, (dialect) => {
            this.dialect = dialect;
            this.refresh();
        });
        this.refresh();
        this.orders.refresh();
        this.reopen();
    }

    /** A reload does not close the order that was looked at. */
    reopen() {
        const order = this.orders.find(location.hash.replace(/^#order-/, ""));
        if (order !== undefined) { this.look(order); }
    }

    /** Whether the service's own SDK opens the sheet, and not this page. */
    get usesTPDirect() { return this.dialect.sdk?.name === "TPDirect"; }
    get isPending() { return this.usesTPDirect && byId("amount-pending").checked; }

    money(minor) { return shownMoney(minor, this.dialect.currency, this.dialect.decimals); }

    refresh() {
        byId("dialect-words").textContent = dialectWords(this.dialect.name).words;
        if (this.orderView.orderId === undefined) { this.exchange.setDialect(this.dialect); }
        this.refreshCart();
    }

    add(id) {
        this.change(id, 1);
        const { name } = this.config.products.find((product) => product.id === id);
        announce(`${name}: ${this.cart.quantity(id)} in the cart, ${this.money(this.cart.total(this.dialect.currency))} in total.`);
    }

    change(id, step) {
        this.cart.change(id, step);
        this.refreshCart();
    }

    refreshCart() {
        showProducts(this.config.products, this.dialect, this.cart, (id) => this.add(id));
        showCart(this.cart, this.dialect, {
            onChange: (id, step) => this.change(id, step),
            onShipping: (id) => {
                this.cart.shippingId = id;
                this.refreshSums();
            },
        });
        this.refreshSums();
    }

    /** A choice of shipping changes numbers only: the radio buttons stay as they are, and with them the focus. */
    refreshSums() {
        const { name, currency, decimals } = this.dialect;
        const total = this.cart.total(currency);
        byId("sum-shipping").textContent = this.money(this.cart.shippingPrice(currency));
        byId("sum-total").textContent = this.money(total);
        byId("wire-amount").querySelector("code").textContent = dialectWords(name).amount(total, currency, decimals);
        this.cartBar.show(this.cart.count, this.money(total));
        storage.saveCart(name, this.cart);
        this.refreshPay();
    }

    /** Whether and what the button pays. */
    async refreshPay() {
        const obstacle = directObstacle() ?? (this.usesTPDirect ? tapPayObstacle() : undefined);
        byId("deferred").hidden = !this.usesTPDirect || this.cart.isEmpty;
        byId("pay-words").textContent = this.cart.isEmpty || this.isPending ? "Pay"
            : `Pay ${this.money(this.cart.total(this.dialect.currency))}`;
        byId("pay-hint").textContent = this.isPending ? "Authorizes an amount that is not shown in the sheet."
            : dialectWords(this.dialect.name).hint;
        byId("pay-error").hidden = true;
        this.setObstacle(obstacle);
        this.preparation += 1;
        if (!this.usesTPDirect || this.cart.isEmpty || obstacle !== undefined) { return; }
        const preparation = this.preparation;
        const later = await prepareTapPay(this.dialect, this.cart, this.isPending)
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
            onOrder: (order) => {
                this.orders.remember(order);
                this.exchange.watch(order.orderId);
            },
        };
        this.exchange.clear();
        this.exchange.setDialect(this.dialect);
        this.exchange.hold();
        this.orderView.hide();
        this.orders.choose(undefined);
        const bought = this.cart.snapshot();
        let outcome;
        try {
            const sheet = this.usesTPDirect ? payWithPrime(this.dialect, bought, this.isPending, view)
                : payDirectly(this.dialect, bought, view);
            this.setPaying(true);
            outcome = await sheet;
        } catch (error) {
            outcome = { reason: error.message };
        }
        this.exchange.setBusy(false);
        this.exchange.release();
        this.isPaying = false;
        byId("pay").setAttribute("aria-busy", "false");
        this.show(outcome, bought);
    }

    setPaying(isPaying) {
        this.isPaying = isPaying;
        byId("pay").disabled = isPaying;
        byId("pay").setAttribute("aria-busy", String(isPaying));
    }

    show({ order, isCancelled, reason, shippingId }, bought) {
        if (order !== undefined) {
            if (shippingId !== undefined) { this.cart.shippingId = shippingId; }
            // What was put in meanwhile stays, and after a declined payment everything.
            if (boughtStates.includes(order.status)) { this.cart.remove(bought); }
            this.awaited = order.status === "unknown" ? { orderId: order.orderId, bought } : undefined;
            this.refreshCart();
            this.select(order);
            return;
        }
        this.refreshPay();
        const words = reason ?? (isCancelled ? "The sheet was closed. Nothing was paid." : "Nothing was paid.");
        byId("pay-error").textContent = words;
        byId("pay-error").hidden = false;
        byId("pay").focus();
    }

    /** Shows an order and its messages, and leaves the focus where it is. */
    look(order) {
        this.orders.remember(order);
        this.orders.choose(order.orderId);
        this.exchange.open(order.orderId);
        this.exchange.setDialect({ name: order.dialect, title: order.title ?? order.dialect });
        this.orderView.show(order);
        this.setAddress(`#order-${order.orderId}`);
    }

    /** The address with the order that is looked at; a reload and a link lead to it again. */
    setAddress(hash) { history.replaceState(null, "", location.pathname + location.search + hash); }

    select(order) {
        this.look(order);
        // Where it is in view already nothing is scrolled under the pointer.
        const { top } = byId("order-view").getBoundingClientRect();
        if (top < 0 || top > innerHeight / 2) { byId("order-view").scrollIntoView({ block: "start" }); }
        byId("order-title").focus({ preventScroll: true });
    }

    /** The server says how an order stands. */
    learn(order) {
        this.orders.remember(order);
        if (this.awaited?.orderId === order.orderId && !order.isBusy && order.status !== "unknown") {
            // What turns out not to be paid is in the cart again.
            if (!boughtStates.includes(order.status)) {
                this.cart.add(this.awaited.bought);
                this.refreshCart();
            }
            this.awaited = undefined;
        }
        this.orderView.learn(order);
    }

    closeOrder() {
        this.orderView.hide();
        this.orders.choose(undefined);
        this.exchange.clear();
        this.exchange.setDialect(this.dialect);
        this.setAddress("");
        byId("checkout").focus();
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
