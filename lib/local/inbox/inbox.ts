/** The local inbox of one cloud: its people, its receiver, its changes, and their routes. */
import type { ControlRoutes } from '../control-route.ts';
import type { Functions } from '../functions.ts';
import type { Journal } from '../journal.ts';
import type { LocalServices } from '../services.ts';
import type { IncomingMail } from '../ses/incoming-mail.ts';
import { type Changes, createChanges } from './changes.ts';
import { createCorrespondence } from './correspondence.ts';
import { createMailEvents } from './mail-events.ts';
import { createPeople } from './people.ts';
import { peopleRoutes } from './people-routes.ts';
import { createPost } from './post.ts';
import { createReactions } from './reactions.ts';
import { createMailReader } from './read-mail.ts';
import { createReceiver } from './receiver.ts';
import { receiverRoutes } from './receiver-routes.ts';

export interface Inbox {
  readonly routes: ControlRoutes;
  /** Notes mail that came by SMTP. */
  noteArrived(mail: IncomingMail, refused: readonly string[]): void;
  /** Facts of the run that the page reads, once it is ready. */
  setFacts(facts: Readonly<Record<string, unknown>>): void;
  close(): void;
}

export interface InboxOptions {
  readonly services: Pick<LocalServices, 'mailboxProviders' | 'onMailboxMail' | 'ses'>;
  readonly now: () => number;
  /** Of the local API. */
  readonly apiPort: number;
  readonly brand: string;
  readonly journal: Journal | null;
  readonly onInvocation: Functions['onEnd'];
  readonly onNotice: (text: string) => void;
}

export function createInbox(options: InboxOptions): Inbox {
  const { services, now, apiPort, brand, journal, onNotice } = options;
  const { ses, mailboxProviders } = services;
  const changes = createChanges();
  const events = createMailEvents(now);
  const reader = createMailReader();
  const people = createPeople({
    now,
    onAdded: ({ person, position }) => changes.add({ kind: 'mail', person, message: String(position) }),
  });
  const post = createPost({ people, ses, mailboxProviders });
  const correspondence = createCorrespondence({ now, reader, post });
  const reactions = createReactions({
    apiPort,
    reader,
    write: correspondence.write,
    reportLate: ses.reportLate,
  });
  const receiver = createReceiver({
    ...{ now, brand, onReceived: () => changes.add({ kind: 'webhook' }) },
    ...(journal && { kept: journal.map('inbox receiver') }),
  });
  ses.observe({
    sent: (mail) => {
      post.noteSent(mail).catch((error: unknown) => onNotice(`the inbox lost a mail: ${String(error)}`));
    },
    event: (mail, event) => {
      events.note(mail.id, event);
      changes.add({ kind: 'event', message: mail.id });
    },
  });
  services.onMailboxMail((mail, { refused }) => post.noteArrived(mail, refused));
  tellOfService(options.onInvocation, changes);
  let facts: Readonly<Record<string, unknown>> = {};
  return {
    noteArrived: post.noteArrived,
    setFacts: (given) => {
      facts = given;
    },
    routes: {
      'GET /inbox': { summary: 'Returns the addresses of the run for the inbox.', handle: () => facts },
      'GET /changes': {
        summary:
          'Waits up to 25 s for changes of the inbox: ?after=POSITION; without one, returns the position.',
        handle: ({ query }) => changes.after(query.has('after') ? Number(query.get('after')) || 0 : null),
      },
      ...peopleRoutes({ people, view: { reader, events }, correspondence, reactions }),
      ...receiverRoutes(receiver),
    },
    close: changes.close,
  };
}

/** Invocations end by the hundred: one change in this time is enough. */
const tellMs = 300;

/** Tells that a worker ended. Operations are what pages call: told of, each reading would cause the next. */
function tellOfService(onInvocation: Functions['onEnd'], changes: Changes): void {
  let timer: NodeJS.Timeout | null = null;
  onInvocation(({ name }) => {
    if (timer !== null || name.includes('-api-') || name.includes('-public-')) return;
    timer = setTimeout(() => {
      timer = null;
      changes.add({ kind: 'service' });
    }, tellMs);
    timer.unref();
  });
}
