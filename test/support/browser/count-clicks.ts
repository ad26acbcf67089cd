/** The counter of clicks, of the journeys and of `npm run measure:console`. */
import type { Context } from './playwright.ts';

/** Counts presses: one click on a label is two click events, of the label and of its field. */
export async function countClicks(context: Context): Promise<() => number> {
  let count = 0;
  await context.exposeBinding('__pressed', () => {
    count += 1;
  });
  await context.addInitScript({
    content: "addEventListener('pointerdown', (event) => { if (event.isTrusted) __pressed(); }, true);",
  });
  return () => count;
}
