import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { queues } from '../../lib/core/access.ts';
import { type QueueMessage, queueOf } from '../../lib/core/queue-messages.ts';

const workspaceId = newId('wks');
const [emailId, endpointId, domainId] = [newId('eml'), newId('whk'), newId('dom')];
const news = {
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
  'send-mail': { kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null },
  'publish-event': news,
  'deliver-webhook': {
    kind: 'deliver-webhook',
    v: 1,
    workspaceId,
    endpointId,
    deliveryId: newId('dlv'),
    attempt: 1,
    replay: 0,
    slot: 3,
  },
  'check-domain': { kind: 'check-domain', v: 1, workspaceId, domainId },
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
    receivedEvent: news,
  },
};

describe('a message', () => {
  it('is in the group of its workspace, so that a busy one delays no other', () => {
    for (const message of Object.values(messages)) {
      const { queue, group } = queueOf(message);
      if (!queues[queue].fifo) expect(group, message.kind).toBe(workspaceId);
    }
  });

  it('on a FIFO queue is in the group of what it has to keep in order', () => {
    expect(queueOf(messages['deliver-webhook'])).toEqual({ queue: 'webhooks', group: `${endpointId}:3` });
    expect(queueOf(messages['sync-identity'])).toEqual({ queue: 'identities', group: 'eu-central-1' });
  });
});
