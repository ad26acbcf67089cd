import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { queues } from '../../lib/core/access.ts';
import {
  outboxMessageSchema,
  parseDelayedMessage,
  parseQueueMessage,
  type QueueMessage,
  queueOf,
} from '../../lib/core/queue-messages.ts';
import { UnknownMessage } from '../../lib/core/unknown-message.ts';

const workspaceId = newId('wks');
const [emailId, endpointId, domainId] = [newId('eml'), newId('whk'), newId('dom')];
const deliveryId = newId('dlv');
const event = {
  kind: 'publish-event',
  v: 2,
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
  'send-mail': { kind: 'send-mail', v: 2, workspaceId, emailId, chunk: null, slot: null },
  'pace-mail': { kind: 'pace-mail', v: 1, workspaceId },
  'publish-event': event,
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
  'resume-endpoint': { kind: 'resume-endpoint', v: 1, workspaceId, endpointId },
  'sync-tenant': { kind: 'sync-tenant', v: 1, workspaceId, region: 'eu-central-1', identity: 'a.example' },
  'report-suspension': { kind: 'report-suspension', v: 1, workspaceId, reason: 'bounces', at: 5 },
  'report-outage': { kind: 'report-outage', v: 1, workspaceId, endpointId, failingSince: 5 },
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
  'submit-mailbox-email': { kind: 'submit-mailbox-email', v: 1, workspaceId, emailId, chunk: null },
};

describe('queueOf', () => {
  it('puts a message into the group of its workspace, or endpoint, when the queue is not FIFO', () => {
    for (const message of Object.values(messages)) {
      const { queue, group } = queueOf(message);
      const isOfEndpoint = queue === 'deliveries';
      if (!queues[queue].fifo) expect(group, message.kind).toBe(isOfEndpoint ? endpointId : workspaceId);
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

/** Messages of earlier versions, each with its conversion. */
const digest = '0123456789abcdef0123456789abcdef';
const eventV1 = { ...event, v: 1 };
const previous = [
  [
    { ...eventV1, subject: { emailId, entry: `EVENT#001700000000000#${digest}` } },
    { ...event, subject: { emailId, entryId: `001700000000000#${digest}` } },
  ],
  [
    { ...eventV1, subject: { emailId, hit: 7 } },
    { ...event, subject: { emailId, engagement: 7 } },
  ],
  [eventV1, event],
  [
    { ...without(messages['sync-identity'], 'polls'), kind: 'settle-identity', round: 4 },
    { ...messages['sync-identity'], polls: 4 },
  ],
  [
    { ...without(messages['extract-text'], 'receivedEvent'), kind: 'prepare-attachment', news: eventV1 },
    messages['extract-text'],
  ],
] as const;

function without<T extends object, K extends keyof T>(of: T, name: K): Omit<T, K> {
  const { [name]: _, ...rest } = of;
  return rest;
}

describe('a message of the previous release', () => {
  it.each(previous)('is converted when it is parsed: %j', (old, converted) => {
    expect(parseQueueMessage(converted.kind, JSON.stringify(old))).toEqual(converted);
    expect(parseDelayedMessage(JSON.stringify({ message: old, dueAt: 5 }))).toEqual({
      message: converted,
      dueAt: 5,
    });
    expect(outboxMessageSchema.parse({ message: old })).toEqual({ message: converted });
  });
});
