/** What a stranger does first with the inbox and the console (test/console/journeys.all.test.ts). */
import type { Visit } from './browser/visit.ts';
import type { InboxRun } from './inbox-run.ts';

/** Where a task is done. */
export type Place = Pick<Visit, 'page' | 'context'>;

export interface Task {
  readonly name: string;
  /** The start page. */
  readonly start: '/' | '/console';
  /** Makes what the task finds. */
  readonly prepare: (run: InboxRun) => Promise<void>;
  /** Does it, from the start page; ends when what was wanted is seen. */
  readonly perform: (at: Place, run: InboxRun) => Promise<void>;
}

/** Clicks that each task may need. */
export const taskClicksMax = 3;

const link = ({ page }: Place, name: string | RegExp) => page.getByRole('link', { name });
const button = ({ page }: Place, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

/** Opens the inbox, which signs the browser in as the owner, then a page of the console. */
export async function openConsole({ open }: Pick<Visit, 'open'>, path = ''): Promise<void> {
  await open('/');
  await open(`/console${path}`);
}

/** Sends as the demo workspace, and waits for what comes of it. */
export async function sendFromDemo(run: InboxRun, email: object): Promise<void> {
  await run.api('POST', '/emails', { from: `support@${run.domain}`, text: 'Hello.', ...email });
  await run.control('POST', '/settle');
}

const receiver = (run: InboxRun) => `${run.origin}/_control/receiver/shop`;

/** An event whose delivery has failed for good: its receiver answered 500 until the deadline. */
async function failDelivery(run: InboxRun): Promise<void> {
  await run.control('POST', '/receiver', { status: 500 });
  await run.api('POST', '/webhook-endpoints', { url: receiver(run), subscriptions: ['email.sent'] });
  await sendFromDemo(run, { to: ['hook@example.test'], subject: 'Told to the shop' });
  await run.control('POST', '/clock', { advance_seconds: 25 * 3600 });
  await run.control('POST', '/settle');
  await run.control('POST', '/receiver', { status: 200 });
}

export const tasks: readonly Task[] = [
  {
    name: 'replay a failed webhook',
    start: '/console',
    prepare: failDelivery,
    async perform(visit, run) {
      await link(visit, 'Webhooks').click();
      await link(visit, new RegExp(receiver(run))).click();
      await button(visit, /^Send again: email\.sent$/).click();
      await visit.page.getByRole('list', { name: 'Deliveries' }).getByText('Delivered').first().waitFor();
    },
  },
  {
    name: 'find why a mail bounced',
    start: '/console',
    prepare: (run) => sendFromDemo(run, { to: ['ben+bounce@example.test'], subject: 'Your invoice' }),
    async perform(visit) {
      await link(visit, /Your invoice/).click();
      const trouble = visit.page.locator('.notice.bad');
      await trouble
        .getByText(/bounced|does not exist|refused/i)
        .first()
        .waitFor();
      await trouble.getByText(/is suppressed since/).waitFor();
    },
  },
  {
    name: 'approve a draft',
    start: '/console',
    prepare: (run) => sendFromDemo(run, { to: ['cara@example.test'], subject: 'An offer', draft: true }),
    async perform(visit) {
      await link(visit, 'Drafts').click();
      await link(visit, /An offer/).click();
      await button(visit, 'Approve and send').click();
      await visit.page
        .getByRole('article', { name: /Message of/ })
        .getByText(/^(?:sent|delivered)$/)
        .waitFor();
    },
  },
  {
    name: 'see which DNS record is wrong and copy it',
    start: '/console',
    async prepare(run) {
      type Created = { readonly id: string; readonly records: readonly { type: string; name: string }[] };
      const { id, records } = await run.api<Created>('POST', '/domains', { name: 'acme.test' });
      const [wrong] = records;
      await run.control('DELETE', '/dns', { name: wrong?.name });
      await run.api('POST', `/domains/${id}/verify`);
    },
    async perform(visit) {
      await visit.context.grantPermissions(['clipboard-read', 'clipboard-write']);
      await link(visit, 'Domains').click();
      await link(visit, /acme\.test/).click();
      const wrong = visit.page.getByRole('row').filter({ hasText: 'Not found' });
      await wrong.getByRole('button', { name: /^Copy the value of/ }).click();
      await wrong.getByText('Copied').waitFor();
      const [copied, shown] = [
        await visit.page.evaluate<string>('navigator.clipboard.readText()'),
        await wrong.getByRole('cell').allTextContents(),
      ];
      if (copied === '' || !shown.some((text) => text.includes(copied))) throw new Error(`copied: ${copied}`);
    },
  },
  {
    name: 'answer as the recipient and see the event arrive',
    start: '/',
    async prepare(run) {
      type Created = { readonly id: string; readonly secret: string };
      const { id, secret } = await run.api<Created>('POST', '/webhook-endpoints', {
        url: `${run.origin}/_control/receiver/inbox`,
        subscriptions: ['email.received'],
      });
      await run.control('POST', '/receiver/inbox/endpoint', { endpoint_id: id, secret });
      await sendFromDemo(run, { to: ['anna@example.test'], subject: 'Your order' });
    },
    async perform(visit) {
      const { page } = visit;
      await button(visit, 'Reply').click();
      await page.keyboard.type('It came, thank you.');
      await button(visit, 'Send').click();
      await page.getByText(/^Reply: delivered to/).waitFor();
      await link(visit, 'Webhooks').click();
      const event = page.locator('.log').first().getByRole('listitem').filter({ hasText: 'email.received' });
      await event.first().getByText('signature valid').waitFor();
    },
  },
];
