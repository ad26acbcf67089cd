/** `parley listen`: posts the events of a deployment to an address of this machine, as webhooks. */
import type { Event, LiveState } from '../../../typescript/src/index.ts';
import { idTime } from '../../../typescript/src/live/feed.ts';
import { accountOf, clientOf, folderOfProcess } from '../client.ts';
import { listenSecret } from '../configuration.ts';
import { clockTime, colorOf, typeColumns } from '../events/describe.ts';
import { forward } from '../events/forward.ts';
import { type Journal, openJournal, type Position } from '../events/journal.ts';
import { type Attempt, isDelivered } from '../events/post.ts';
import { sinceOption, startId } from '../events/start.ts';
import { typeOption, wantedTypes } from '../events/types.ts';
import { command } from '../output.ts';
import { toJson } from '../terminal/clean.ts';
import type { Context } from '../terminal/command.ts';
import { UsageError } from '../terminal/exit.ts';

export const listen = command({
  name: 'listen',
  summary: 'Forwards events to an address of this machine, signed as webhooks.',
  details:
    'No endpoint and no tunnel: events come over a WebSocket, or are read from the event log. The signing secret is the same each time.\n' +
    'After a break or a restart, listen goes on where it ended, without losing or repeating an event.\n' +
    'A post that fails is repeated three times, after 1, 3 and 8 seconds.',
  options: {
    'forward-to': { demandOption: true, describe: 'where to post: http://localhost:3000/hook' },
    type: typeOption,
    since: sinceOption,
    once: { type: 'boolean', describe: 'end after the first event; exit code 1 where it was not delivered' },
    brand: { default: 'Parley', describe: 'the brand of the deployment, in the names of headers' },
  },
  examples: [
    ['listen --forward-to http://localhost:3000/hook', 'forwards what happens from now on'],
    ['listen --forward-to http://localhost:3000/hook --type email.received', 'forwards received mail only'],
    ['listen --forward-to http://localhost:3000/hook --since 1h', 'also forwards the last hour, again'],
  ],
  endsItself: true,
  run: async (values, context) => {
    const url = targetUrl(values['forward-to']);
    const types = wantedTypes(values.type);
    const parley = clientOf(values, context);
    const account = accountOf(values);
    const folder = folderOfProcess();
    const secret = listenSecret(folder);
    const journal = openJournal(folder, [account.base_url, account.api_key, url]);
    try {
      const position = await positionOf(values.since, journal, () =>
        startId(values.since, parley, context.signal),
      );
      journal.begin(position);
      const isResumed = values.since === undefined && journal.found !== null;
      greet({ url, secret, from: account.base_url, isResumed, position }, values, context);
      const target = { url, secret, brand: values.brand };
      // Of all types: how far those go that are not wanted is known after a restart.
      const events = parley.events.live({
        after: position.start,
        signal: context.signal,
        onState: troubleTeller(context),
      });
      const isDone = await forward(events, {
        target,
        journal,
        done: new Set(position.done),
        types,
        isOnce: values.once === true,
        onAttempt: (event, attempt, retryInMs) =>
          tell(event, attempt, { retryInMs, json: values.json === true }, context),
        onWait: () => context.terminal.note('Waiting for the posts that run; Ctrl-C again ends at once.'),
        signal: context.signal,
      });
      return isDone ? 0 : 1;
    } catch (error) {
      // Ctrl-C is how it ends.
      if (!context.signal.aborted) throw error;
      return 0;
    } finally {
      journal.close();
    }
  },
});

/** @throws UsageError */
export function targetUrl(text: string): string {
  // `localhost:3000` has the scheme "localhost" for a parser of URLs.
  const full = /^https?:/i.test(text) ? text : `http://${/^\d+(\/|$)/.test(text) ? 'localhost:' : ''}${text}`;
  const url = URL.canParse(full) ? new URL(full) : null;
  if (!url?.hostname || url.username || url.hash || (/^[a-z]+:\/\//i.test(text) && !/^https?:/i.test(text))) {
    throw new UsageError('--forward-to is an address such as http://localhost:3000/hook.');
  }
  return url.href;
}

async function positionOf(
  since: string | undefined,
  journal: Journal,
  start: () => Promise<string>,
): Promise<Position> {
  if (since === undefined && journal.found) return journal.found;
  return { start: await start(), done: [] };
}

interface Greeting {
  readonly url: string;
  readonly secret: string;
  readonly from: string;
  readonly isResumed: boolean;
  readonly position: Position;
}

function greet(
  greeting: Greeting,
  { json }: { readonly json?: boolean | undefined },
  context: Context,
): void {
  const { url, secret, from, isResumed, position } = greeting;
  const { terminal } = context;
  if (json) {
    terminal.print(toJson({ listening: { base_url: from, forward_to: url, secret, resumed: isResumed } }, 0));
    return;
  }
  const { bold, dim } = terminal.colors;
  terminal.print(`Forwarding the events of ${from} to ${bold(url)}`);
  terminal.print(`Signing secret: ${bold(secret)}  ${dim('(the same each time)')}`);
  if (isResumed) {
    const since = new Date(idTime(position.done.at(-1) ?? position.start)).toISOString();
    terminal.print(dim(`Going on after ${since}; --since now leaves out what happened meanwhile.`));
  }
  terminal.print(dim('Press Ctrl-C to stop.'));
}

function tell(
  event: Event,
  attempt: Attempt,
  { retryInMs, json }: { readonly retryInMs: number | null; readonly json: boolean },
  { terminal }: Context,
): void {
  const isDone = isDelivered(attempt);
  if (json) {
    const { status, error, durationMs } = attempt;
    const line = { event_id: event.id, event_type: event.type, status, error, duration_ms: durationMs };
    terminal.print(toJson({ ...line, delivered: isDone, retry_in_ms: retryInMs }, 0));
    return;
  }
  const { red, green, dim } = terminal.colors;
  const answer = attempt.status === null ? (attempt.error ?? '') : String(attempt.status);
  const next = retryInMs === null ? 'given up' : `again in ${retryInMs / 1000} s`;
  const outcome = isDone ? green(answer) : red(`${answer}, ${next}`);
  const type = colorOf(event.type, terminal.colors)(event.type.padEnd(typeColumns));
  const time = dim(clockTime(new Date()));
  terminal.print(`${time}  ${type}  ${dim(event.id)}  ${outcome}  ${dim(`${attempt.durationMs} ms`)}`);
}

/** Says when no events come, and when they do again. */
export function troubleTeller({ terminal }: Pick<Context, 'terminal'>): (state: LiveState) => void {
  const { dim } = terminal.noteColors;
  let isTrouble = false;
  return ({ via, error }) => {
    if (via === null) terminal.note(dim(`No events: ${error?.message} Trying again …`));
    else if (isTrouble) terminal.note(dim('Events are read again.'));
    isTrouble = via === null;
  };
}
