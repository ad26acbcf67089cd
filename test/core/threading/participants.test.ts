import { describe, expect, it } from 'vitest';
import {
  mergeParticipants,
  participantsMax,
  type RepliedMessage,
  replyRecipients,
} from '../../../lib/core/threading/participants.ts';

const at = (address: string, name: string | null = null) => ({ name, address });
const message = (changes: Partial<RepliedMessage> = {}): RepliedMessage => ({
  from: at('ann@buyer.test', 'Ann'),
  replyTo: [],
  to: [at('sales@acme.dev')],
  cc: [],
  ...changes,
});
const reply = (changes: Partial<Parameters<typeof replyRecipients>[0]>) =>
  replyRecipients({
    newestInbound: null,
    newestOutbound: null,
    replyAll: false,
    ourAddresses: ['sales@acme.dev'],
    ...changes,
  });

describe('mergeParticipants', () => {
  it('keeps the first spelling and order, and fills in missing names', () => {
    expect(
      mergeParticipants(
        [at('Ann@buyer.test'), at('bob@buyer.test', 'Bob')],
        [at('ann@BUYER.test', 'Ann'), at('bob@buyer.test', 'Robert'), at('cy@buyer.test')],
      ),
    ).toEqual([at('Ann@buyer.test', 'Ann'), at('bob@buyer.test', 'Bob'), at('cy@buyer.test')]);
  });

  it('returns at most participantsMax', () => {
    const many = Array.from({ length: 300 }, (_, n) => at(`p${n}@buyer.test`));
    const merged = mergeParticipants([at('ann@buyer.test')], many);
    expect(merged).toHaveLength(participantsMax);
    expect(merged[0]).toEqual(at('ann@buyer.test'));
  });
});

describe('replyRecipients', () => {
  it('returns the sender of the newest inbound message, also when we wrote last', () => {
    expect(
      reply({ newestInbound: message(), newestOutbound: message({ to: [at('zoe@buyer.test')] }) }),
    ).toEqual({
      to: [at('ann@buyer.test', 'Ann')],
      cc: [],
    });
  });

  it('returns Reply-To when there is one', () => {
    const inbound = message({ replyTo: [at('desk@buyer.test'), at('two@buyer.test')] });
    expect(reply({ newestInbound: inbound }).to).toEqual([at('desk@buyer.test'), at('two@buyer.test')]);
  });

  it('ignores Reply-To when it names only us', () => {
    const inbound = message({ replyTo: [at('sales@acme.dev')] });
    expect(reply({ newestInbound: inbound }).to).toEqual([at('ann@buyer.test', 'Ann')]);
  });

  it('returns the To of the newest outbound message when there is no inbound one', () => {
    const outbound = message({
      from: at('sales@acme.dev'),
      to: [at('ann@buyer.test')],
      cc: [at('bob@buyer.test')],
    });
    expect(reply({ newestOutbound: outbound })).toEqual({ to: [at('ann@buyer.test')], cc: [] });
    expect(reply({ newestOutbound: outbound, replyAll: true })).toEqual({
      to: [at('ann@buyer.test')],
      cc: [at('bob@buyer.test')],
    });
  });

  it('adds the other To and Cc, each once and without us, when replying to all', () => {
    const inbound = message({
      to: [at('Sales@ACME.dev'), at('sales+thr_1@acme.dev'), at('bob@buyer.test'), at('ANN@buyer.test')],
      cc: [at('cy@buyer.test'), at('bob@buyer.test'), at('cy@buyer.test'), at('sales@acme.dev')],
    });
    expect(reply({ newestInbound: inbound, replyAll: true })).toEqual({
      to: [at('ann@buyer.test', 'Ann'), at('bob@buyer.test')],
      cc: [at('cy@buyer.test')],
    });
  });

  it('leaves out all of our addresses when replying to all', () => {
    const inbound = message({
      to: [at('sales@acme.dev'), at('Desk+vip@acme.dev'), at('bob@buyer.test')],
      cc: [at('DESK@acme.dev'), at('cy@buyer.test')],
    });
    const ourAddresses = ['sales@acme.dev', 'desk@acme.dev'];
    expect(reply({ newestInbound: inbound, replyAll: true, ourAddresses })).toEqual({
      to: [at('ann@buyer.test', 'Ann'), at('bob@buyer.test')],
      cc: [at('cy@buyer.test')],
    });
  });

  it('returns nobody when the thread is empty', () => {
    expect(reply({})).toEqual({ to: [], cc: [] });
  });
});
