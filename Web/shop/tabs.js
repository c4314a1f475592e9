//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Where there is room for one of them, shop and exchange are two tabs.

import { byId } from "./dom.js";

const names = ["shop", "exchange"];
const narrow = matchMedia("(max-width: 960px)");

export class Tabs {
    #onShown;

    /** `onShown()` hears that the exchange came into view. */
    constructor(onShown) {
        this.#onShown = onShown;
        for (const name of names) {
            byId(`tab-${name}`).addEventListener("click", () => this.show(name));
            byId(`tab-${name}`).addEventListener("keydown", (event) => {
                if (!["ArrowLeft", "ArrowRight", "Home", "End"].includes(event.key)) { return; }
                event.preventDefault();
                const to = { Home: "shop", End: "exchange" }[event.key] ?? names.find((other) => other !== name);
                this.show(to);
                byId(`tab-${to}`).focus();
            });
        }
        narrow.addEventListener("change", () => {
            this.#refresh();
            this.#onShown();
        });
    }

    get isExchangeInView() { return !narrow.matches || document.body.classList.contains("shows-exchange"); }

    show(name) {
        const isOther = document.body.classList.toggle("shows-exchange", name === "exchange");
        for (const other of names) {
            byId(`tab-${other}`).setAttribute("aria-selected", String(other === name));
            byId(`tab-${other}`).tabIndex = other === name ? 0 : -1;
        }
        this.#refresh();
        scrollTo(0, 0);
        if (isOther) { this.#onShown(); }
    }

    /** Alone the exchange is the page's main part, under the page's name (see the style sheet). */
    #refresh() {
        const isAlone = narrow.matches && this.isExchangeInView;
        byId("exchange").setAttribute("role", isAlone ? "main" : "complementary");
    }

    setCount(count) {
        byId("tab-count").hidden = count === 0;
        byId("tab-count").textContent = String(count);
        byId("tab-exchange").setAttribute("aria-label", count === 0 ? "Exchange" : `Exchange, ${count} messages`);
    }
}
