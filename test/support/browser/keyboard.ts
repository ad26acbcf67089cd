/** Walks through a page with the Tab key: what is never focused, what does not show that it is, and what does not let go. */
import type { Page } from './playwright.ts';

/**
 * Notes at each focus which element has it and whether that is seen: an outline or a shadow, inside of the window.
 * Of the radio buttons of a group, Tab reaches one. What is in frames is left out.
 */
const watchFocus = `(() => {
  document.activeElement?.blur?.();
  getSelection()?.removeAllRanges();
  const all = [...document.querySelectorAll(
    'a[href], button, input, select, textarea, summary, [tabindex], [contenteditable=true]',
  )];
  const isStop = (e) =>
    e.tabIndex >= 0 && !e.disabled && e.type !== 'hidden' && !e.closest('[inert]') && e.getClientRects().length > 0 &&
    e.checkVisibility({ visibilityProperty: true }) &&
    !(e.type === 'radio' && document.querySelector('input[type=radio][name="' + e.name + '"]') !== e);
  const stops = all.filter(isStop);
  const seen = new Map();
  window.__focus = { stops, seen, order: [] };
  const isShown = (e) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(e);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) > 0) || boxShadow !== 'none';
  };
  addEventListener('focusin', ({ target }) => {
    const { top, bottom } = target.getBoundingClientRect();
    const isInside = bottom > 0 && top < innerHeight;
    const sharesFrame = target.parentElement !== null && isShown(target.parentElement);
    seen.set(target, (isShown(target) || sharesFrame) && isInside);
    window.__focus.order.push(target);
  });
  return stops.length;
})()`;

const readFocus = `(() => {
  const { stops, seen, order } = window.__focus;
  const nameOf = (e) => e.localName + ' ' + (e.getAttribute('aria-label') || e.textContent.trim() || e.name || e.className).slice(0, 60);
  const stopped = stops.filter((e) => e.isConnected && e.getClientRects().length > 0);
  const ofGroup = (e) => e.type === 'radio' && order.some((one) => one.name === e.name);
  const missing = stopped.filter((e) => !seen.has(e) && !ofGroup(e)).map((e) => 'never focused: ' + nameOf(e));
  const unseen = stopped.filter((e) => seen.get(e) === false).map((e) => 'focus is not seen: ' + nameOf(e));
  const first = order[0];
  const isTrapped = first?.isConnected && order.lastIndexOf(first) === 0 && stopped.length > 1;
  return [...missing, ...unseen, ...(isTrapped ? ['never left: ' + nameOf(order.at(-1))] : [])];
})()`;

/** Further stops: regions that scroll, and what is in frames. */
const moreStops = 30;

/** Faults of a page by keyboard; empty: each of its elements is reached and shown, and Tab comes back to the first. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const stops = await page.evaluate<number>(watchFocus);
  for (let presses = 0; presses < stops + moreStops; presses += 1) await page.keyboard.press('Tab');
  return await page.evaluate<string[]>(readFocus);
}
