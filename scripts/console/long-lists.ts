/** What long lists of the console cost the browser: elements of the page, and the work of single interactions. */
import type { Browser, Cookie, Page } from '../../test/support/browser/playwright.ts';
import { median } from '../bench/figures.ts';

export const listLength = 10_000;
const pageSize = 50;
const pagesWanted = 50;
const repeats = 5;

export interface LongList {
  readonly name: string;
  readonly rows: number;
  readonly elements: number;
  /** Name, and milliseconds of processor time of the page's thread, the median. */
  readonly interactions: readonly (readonly [string, number])[];
}

interface Interaction {
  readonly name: string;
  /** Expressions in the page; `turn` is 0 to 4. */
  readonly act: string;
  readonly isSeen: string;
}

interface Listed {
  readonly name: string;
  readonly path: string;
  /** Of the API: the answers of the measurement take the place of the service's. */
  readonly route: string;
  readonly row: string;
  readonly item: (number: number) => object;
  readonly interactions: readonly Interaction[];
}

const at = (number: number) => new Date(Date.UTC(2026, 0, 1) - number * 60_000).toISOString();
/** The newest item has the highest id. */
const idOf = (prefix: string, number: number) =>
  `${prefix}_${(listLength - number).toString(16).padStart(32, '0')}`;

const lists: readonly Listed[] = [
  {
    name: 'conversations',
    path: '/console/conversations',
    route: '/threads',
    row: '.thread-row',
    item: (number) => ({
      id: idOf('thr', number),
      subject: `Question ${number} about an order`,
      participants: [`person${number}@example.test`],
      mailbox: 'support@acme.test',
      snippet: 'When does it arrive? I have waited for a week, and nobody answers the telephone.',
      message_count: 1 + (number % 3),
      last_message_at: at(number),
      created_at: at(number),
      read: number % 2 === 0,
      labels: number % 5 === 0 ? ['urgent'] : [],
      claim: null,
    }),
    interactions: [
      {
        name: 'next row by keyboard',
        act: `(turn === 0 && rows[rows.length >> 1].focus(), window.before = document.activeElement).dispatchEvent(
          new KeyboardEvent('keydown', { key: 'j', bubbles: true }))`,
        isSeen: 'document.activeElement !== window.before',
      },
      {
        name: 'open a conversation',
        act: 'rows[turn].click()',
        isSeen: "rows[turn].hasAttribute('aria-current')",
      },
    ],
  },
  {
    name: 'events',
    path: '/console/events',
    route: '/events',
    row: '.event-row',
    item: (number) => ({
      id: idOf('evt', number),
      type: number % 2 === 0 ? 'email.received' : 'email.delivered',
      created_at: at(number),
      data: {
        subject: `Question ${number}`,
        from: `person${number}@example.test`,
        to: ['support@acme.test'],
      },
    }),
    interactions: [
      {
        name: 'open an event',
        act: 'rows[turn].click()',
        isSeen: "rows[turn].closest('.event').querySelector('.event-body') !== null",
      },
      {
        name: 'pause, or go on',
        act: `window.before = document.querySelector('.live').textContent;
          [...document.querySelectorAll('button')].find((one) => /^(Pause|Go on)$/.test(one.textContent)).click()`,
        isSeen: "document.querySelector('.live').textContent !== window.before",
      },
    ],
  },
];

/** A page of the list, as the API answers it. */
function answerOf({ item }: Listed, url: URL): string {
  const before = url.searchParams.get('before');
  const from = before
    ? listLength - Number.parseInt(before.replace(/^\w+_/, ''), 16) + 1
    : Number(url.searchParams.get('cursor') ?? 0);
  const next = Math.min(from + pageSize, listLength);
  return JSON.stringify({
    data: Array.from({ length: next - from }, (_, offset) => item(from + offset)),
    next_cursor: next < listLength ? String(next) : null,
  });
}

/** Calls `act`, and resolves in the frame after the one in which its effect is there. */
const performed = (
  row: string,
  turn: number,
  { act, isSeen }: Omit<Interaction, 'name'>,
) => `new Promise((resolve) => {
  const turn = ${turn};
  const rows = document.querySelectorAll('${row}');
  const look = () => requestAnimationFrame((${isSeen}) ? () => resolve(null) : look);
  ${act};
  look();
})`;

/** Opens a list of 10,000, loads its pages, and measures what a person does then. */
async function measureList(page: Page, origin: string, list: Listed): Promise<LongList> {
  const isList = ({ pathname }: URL) => pathname.endsWith(`/v2${list.route}`);
  await page.route(isList, (route) =>
    route.fulfill({ contentType: 'application/json', body: answerOf(list, new URL(route.request().url())) }),
  );
  await page.goto(`${origin}${list.path}`);
  await page.locator(list.row).first().waitFor();
  const work = await threadClock(page);
  const costOf = async (turn: number, interaction: Omit<Interaction, 'name'>) => {
    const start = await work();
    await page.evaluate(performed(list.row, turn, interaction));
    return (await work()) - start;
  };
  const more = "document.querySelector('.load-more button')";
  const load = {
    act: `${more}.click()`,
    isSeen: `document.querySelectorAll('${list.row}').length > rows.length`,
  };
  const loads: number[] = [];
  while (loads.length + 1 < pagesWanted && (await page.evaluate<boolean>(`${more} !== null`)))
    loads.push(await costOf(0, load));
  const interactions: [string, number][] = [
    ['load page 2', loads[0] ?? 0],
    [`load page ${loads.length + 1}`, median(loads.slice(-repeats))],
  ];
  for (const interaction of list.interactions) {
    const costs: number[] = [];
    for (let turn = 0; turn < repeats; turn += 1) costs.push(await costOf(turn, interaction));
    interactions.push([interaction.name, median(costs)]);
  }
  return {
    name: list.name,
    rows: await page.evaluate<number>(`document.querySelectorAll('${list.row}').length`),
    elements: await page.evaluate<number>("document.querySelectorAll('*').length"),
    interactions,
  };
}

/** Milliseconds of processor time of the page's thread: script, styles, layout and painting, whatever else the machine does. */
async function threadClock(page: Page): Promise<() => Promise<number>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

/** The section of `bench/console.md`. */
export function renderLongLists(measured: readonly LongList[]): string {
  const rows = measured.flatMap(({ name, interactions }) =>
    interactions.map(([what, ms]) => `| ${name} | ${what} | ${Math.round(ms)} ms |`),
  );
  const sizes = measured.map(({ name, rows, elements }) => `${name} ${rows} rows (${elements} elements)`);
  return `Lists of ${listLength} items, which the browser gets from the measurement instead of the service, with up to ${pagesWanted} pages loaded:
${sizes.join(', ')}. Processor time of the page's thread, the median of ${repeats}.

| List | What | Time |
|---|---|---:|
${rows.join('\n')}`;
}

/** @param cookies of a session */
export async function measureLongLists(
  browser: Browser,
  origin: string,
  cookies: readonly Cookie[],
): Promise<readonly LongList[]> {
  const measured: LongList[] = [];
  for (const list of lists) {
    const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1280, height: 800 } });
    await context.addCookies(cookies);
    measured.push(await measureList(await context.newPage(), origin, list));
    await context.close();
  }
  return measured;
}
