import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { queues } from '../../lib/domain/access.ts';
import { type Message, routeOf } from '../../lib/domain/messages.ts';

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
const messages: { readonly [Kind in Message['kind']]: Extract<Message, { kind: Kind }> } = {
  'send-mail': { kind: 'send-mail', v: 1, workspaceId, emailId, chunk: null },
  'publish-event': news,
  'deliver-webhook': {
    kind: 'deliver-webhook',
    v: 1,
    workspaceId,
    endpointId,
    deliveryId: newId('dlv'),
    attempt: 1,
    round: 0,
    slot: 3,
  },
  'check-domain': { kind: 'check-domain', v: 1, workspaceId, domainId },
  'settle-identity': {
    kind: 'settle-identity',
    v: 1,
    workspaceId,
    domainId,
    region: 'eu-central-1',
    name: 'acme.example',
    round: 0,
  },
  'prepare-attachment': {
    kind: 'prepare-attachment',
    v: 1,
    workspaceId,
    emailId,
    attachmentId: newId('att'),
    news,
  },
};

describe('a message', () => {
  it('is in the group of its workspace, so that a busy one delays no other', () => {
    for (const message of Object.values(messages)) {
      const { queue, group } = routeOf(message);
      if (!queues[queue].fifo) expect(group, message.kind).toBe(workspaceId);
    }
  });

  it('on a FIFO queue is in the group of what it has to keep in order', () => {
    expect(routeOf(messages['deliver-webhook'])).toEqual({ queue: 'webhooks', group: `${endpointId}:3` });
    expect(routeOf(messages['settle-identity'])).toEqual({ queue: 'identities', group: 'eu-central-1' });
  });
});
