//===----------------------------------------------------------------------===//
// This source file is part of the Pomona open source project
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Whether a gesture of the user is being handled right now. `navigator.userActivation` does not say it: it is active
// for some seconds, while WebKit's gesture (UserGestureIndicator) is over with the event. What waits only for promises
// that are settled still belongs to it. What waits for the network does not: WebKit since November 2025 lets a fetch
// pass it on, earlier ones do not, and what is taken here is taken by all of them.

import { invalidAccess } from "./errors.js";

/// The events whose handlers WebKit takes for a gesture.
const gestures = ["click", "dblclick", "mousedown", "mouseup", "pointerup", "touchend", "keydown", "keypress", "keyup"];
/// What a browser dispatches of its own after one of them, in the same task: the form that was sent by it.
const consequences = ["submit", "change", "input"];

/// Events that were seen on their way. An event that has been handled is in no phase any more (DOM, "dispatch").
let seen = [];
/// Whether the task of a gesture goes on.
let isFresh = false;
/// Whether its promises' reactions come only after it: a script is below that made the event, such as a test driver's.
let comesLate = false;

const isBeingHandled = (event) => event.eventPhase !== Event.NONE;
const isGesture = (event) => event?.isTrusted === true && gestures.includes(event.type);
/// WebKit hands a gesture on with a message that is posted to a window in it: the button of a frame pays in the page.
/// Whether one was posted so nobody says; that the user has done something just now is all that can be asked for.
const mayCarryGesture = ({ isTrusted, type, target, source }) => isTrusted && type === "message" && target === window
    && Boolean(source) && navigator.userActivation?.isActive !== false;

/// From now on gestures are seen.
export function watchGestures() {
    const { port1, port2 } = new MessageChannel();
    port2.onmessage = () => { [isFresh, comesLate] = [false, false]; };
    const notice = (event) => {
        const isConsequence = event.isTrusted && isFresh && consequences.includes(event.type);
        if (!isGesture(event) && !isConsequence && !mayCarryGesture(event)) { return; }
        seen = [...seen.filter(isBeingHandled), event];
        isFresh = true;
        queueMicrotask(() => { comesLate ||= !isBeingHandled(event); });
        // The next task is another one.
        port1.postMessage(null);
    };
    for (const name of [...gestures, ...consequences, "message"]) {
        addEventListener(name, notice, { capture: true, passive: true });
    }
}

/// Whether a script of that window, or of a frame in it that this one may look into, handles one: WebKit asks for a
/// gesture, and not where in the page it was made.
function handlesGesture(frame) {
    let event;
    try {
        ({ event } = frame);
    } catch { /* A frame of another origin. Those in it may be ours. */ }
    return isGesture(event) || Array.from({ length: frame.length }, (_, index) => frame[index]).some(handlesGesture);
}

/// - Parameter sentence: WebKit's own, which pages know.
export function requireUserGesture(sentence) {
    if (!seen.some(isBeingHandled) && !comesLate && !handlesGesture(window.top ?? window)) {
        throw invalidAccess(`${sentence} Await nothing before it there.`);
    }
}
