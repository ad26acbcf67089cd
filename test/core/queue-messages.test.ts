import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { newId } from '../../lib/adapters/ids.ts';
import { queues } from '../../lib/core/access/access.ts';
import {
  parseQueueMessage,
  type QueueMessage,
  queueOf,
  withPrevious,
} from '../../lib/core/queue-messages.ts';
import { UnknownMessage } from '../../lib/core/work/unknown-message.ts';
import { memberId } from '../../lib/core/workspaces/workspace.ts';

const workspaceId = newId('wks');
const [emailId, endpointId, domainId] = [newId('eml'), newId('whk'), newId('dom')];
const deliveryId = newId('dlv');
const event = {
  kind: 'publish-event',
  v: 1,
  workspaceId,
  eventId: newId('evt'),
  type: 'email.received',
  at: 0,
  subject: { emailId },
} as const;

/** One message of each kind. */
const messages: { readonly [Kind in QueueMessage['kind']]: Extract<QueueMessage, { kind: Kind }> } = {
  'release-mail': {
    kind: 'release-mail',
    v: 1,
    workspaceId,
    emailId,
    chunk: null,
    region: 'eu-central-1',
    recipients: 2,
  },
  'send-mail': { kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null, slot: null },
  'pace-mail': { kind: 'pace-mail', v: 1, workspaceId, wakeAt: null },
  'publish-event': event,
  'push-event': { kind: 'push-event', v: 1, workspaceId, eventId: newId('evt') },
  'continue-live': {
    kind: 'continue-live',
    v: 1,
    workspaceId,
    connectionId: 'L0SM9cOFvHcCIhw=',
    subscriptionId: 'q1',
  },
  'deliver-webhook': {
    kind: 'deliver-webhook',
    v: 1,
    workspaceId,
    endpointId,
    deliveryId,
    eventId: newId('evt'),
    createdAt: 5,
    replay: 0,
    attempt: 2,
  },
  'erase-mail': { kind: 'erase-mail', v: 1, workspaceId, of: emailId, pass: 1 },
  'resume-endpoint': { kind: 'resume-endpoint', v: 1, workspaceId, endpointId },
  'sync-tenant': { kind: 'sync-tenant', v: 1, workspaceId, region: 'eu-central-1', identity: 'a.example' },
  'report-suspension': { kind: 'report-suspension', v: 1, workspaceId, reason: 'bounces', at: 5 },
  'report-outage': { kind: 'report-outage', v: 1, workspaceId, endpointId, failingSince: 5 },
  'mail-links': {
    kind: 'mail-links',
    v: 1,
    memberId: memberId('anna@example.com'),
    requestId: 'r',
    at: 0,
    baseUrl: 'https://api.example.com',
  },
  'expire-mail': { kind: 'expire-mail', v: 1, workspaceId, after: newId('eml'), until: 1 },
  'expire-blocked-email': { kind: 'expire-blocked-email', v: 1, workspaceId, blockedId: newId('blk') },
  'expire-draft': { kind: 'expire-draft', v: 1, workspaceId, emailId },
  'check-domain': { kind: 'check-domain', v: 1, workspaceId, domainId },
  'delete-space': { kind: 'delete-space', v: 1, workspaceId, spaceId: newId('spc'), step: 1 },
  'erase-workspace': { kind: 'erase-workspace', v: 1, workspaceId, step: 1 },
  'revoke-mailbox': {
    kind: 'revoke-mailbox',
    v: 1,
    workspaceId,
    mailboxId: newId('mbx'),
    revision: 2,
    tries: 0,
  },
  'sync-identity': {
    kind: 'sync-identity',
    v: 1,
    workspaceId,
    domainId,
    region: 'eu-central-1',
    name: 'acme.example',
    polls: 0,
  },
  'extract-text': {
    kind: 'extract-text',
    v: 1,
    workspaceId,
    emailId,
    attachmentId: newId('att'),
    receivedEvent: event,
  },
  'sync-mailbox': { kind: 'sync-mailbox', v: 1, workspaceId, mailboxId: newId('mbx'), wakeAt: 5 },
  'receive-mailbox-message': {
    kind: 'receive-mailbox-message',
    v: 1,
    workspaceId,
    mailboxId: newId('mbx'),
    messageId: '18c0a',
    failures: 1,
  },
  'receive-blocked-email': { kind: 'receive-blocked-email', v: 1, workspaceId, blockedId: newId('blk') },
  'submit-mailbox-email': { kind: 'submit-mailbox-email', v: 1, workspaceId, emailId, chunk: null },
};

describe('queueOf', () => {
  it('puts a message into the group of its workspace, or endpoint, when the queue is not FIFO', () => {
    for (const message of Object.values(messages)) {
      const { queue, group } = queueOf(message);
      const isOfEndpoint = queue === 'deliveries';
      // A request for sign-in links names no workspace.
      const own = message.kind === 'mail-links' ? message.memberId : workspaceId;
      if (!queues[queue].fifo) expect(group, message.kind).toBe(isOfEndpoint ? endpointId : own);
    }
  });

  it('puts a message into the group whose order it keeps when the queue is FIFO', () => {
    expect(queueOf(messages['release-mail'])).toEqual({
      queue: 'outgoing',
      group: `eu-central-1:${workspaceId}`,
    });
    expect(queueOf(messages['sync-identity'])).toEqual({
      queue: 'identities',
      group: `eu-central-1:${workspaceId}`,
    });
  });
});

describe('parseQueueMessage', () => {
  it.each(Object.values(messages))('returns a message of kind $kind as it was sent', (message) => {
    expect(parseQueueMessage(message.kind, JSON.stringify(message))).toEqual(message);
  });

  it.each([
    ['another kind', JSON.stringify(messages['send-mail'])],
    ['an unknown kind', JSON.stringify({ ...messages['check-domain'], kind: 'check-mailbox' })],
    ['an unknown version', JSON.stringify({ ...messages['check-domain'], v: 3 })],
    ['an id of another type', JSON.stringify({ ...messages['check-domain'], domainId: emailId })],
    ['an additional property', JSON.stringify({ ...messages['check-domain'], extra: 1 })],
    ['a missing property', JSON.stringify({ kind: 'check-domain', v: 1, workspaceId })],
    ['JSON that is no object', 'null'],
    ['a body that is not JSON', 'no json'],
  ])('throws UnknownMessage when the body has %s', (_, body) => {
    expect(() => parseQueueMessage('check-domain', body)).toThrow(UnknownMessage);
  });

  it('names kind and version, and no id, when it does not understand a message', () => {
    const body = JSON.stringify({ kind: 'send-mail', v: 9, workspaceId });
    expect(() => parseQueueMessage('send-mail', body)).toThrow('unknown message: kind send-mail, version 9');
  });
});

describe('withPrevious', () => {
  /** A kind whose version 2 has a list, where version 1 had one name. */
  const greet = z.strictObject({ kind: z.literal('greet'), v: z.literal(2), names: z.array(z.string()) });
  const greetV1 = z
    .strictObject({ kind: z.literal('greet'), v: z.literal(1), name: z.string() })
    .transform(({ name, ...rest }) => ({ ...rest, v: 2 as const, names: [name] }));
  const schema = withPrevious<z.output<typeof greet>>(greet, [greetV1]);

  it('takes messages of this release as they are, and converts those of the previous one', () => {
    const message = { kind: 'greet', v: 2, names: ['Anna'] };
    expect(schema.parse(message)).toEqual(message);
    expect(schema.parse({ kind: 'greet', v: 1, name: 'Anna' })).toEqual(message);
  });

  it.each([
    ['version', { kind: 'greet', v: 3, names: ['Anna'] }],
    ['form', { kind: 'greet', v: 1, names: ['Anna'] }],
    ['kind', { kind: 'meet', v: 1, name: 'Anna' }],
  ])('refuses messages of another %s', (_, message) => {
    expect(schema.safeParse(message).success).toBe(false);
  });
});
