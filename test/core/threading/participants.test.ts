/** Participants of a conversation and the default recipients of a reply. */
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
  it('keeps the first spelling and order, and learns names', () => {
    expect(
      mergeParticipants(
        [at('Ann@buyer.test'), at('bob@buyer.test', 'Bob')],
        [at('ann@BUYER.test', 'Ann'), at('bob@buyer.test', 'Robert'), at('cy@buyer.test')],
      ),
    ).toEqual([at('Ann@buyer.test', 'Ann'), at('bob@buyer.test', 'Bob'), at('cy@buyer.test')]);
  });

  it('never grows past its bound', () => {
    const many = Array.from({ length: 300 }, (_, n) => at(`p${n}@buyer.test`));
    const merged = mergeParticipants([at('ann@buyer.test')], many);
    expect(merged).toHaveLength(participantsMax);
    expect(merged[0]).toEqual(at('ann@buyer.test'));
  });
});

describe('replyRecipients', () => {
  it('answers the sender of the newest inbound message, even when we wrote last', () => {
    expect(
      reply({ newestInbound: message(), newestOutbound: message({ to: [at('zoe@buyer.test')] }) }),
    ).toEqual({
      to: [at('ann@buyer.test', 'Ann')],
      cc: [],
    });
  });

  it('answers Reply-To where there is one', () => {
    const inbound = message({ replyTo: [at('desk@buyer.test'), at('two@buyer.test')] });
    expect(reply({ newestInbound: inbound }).to).toEqual([at('desk@buyer.test'), at('two@buyer.test')]);
  });

  it('passes over a Reply-To that names only us', () => {
    const inbound = message({ replyTo: [at('sales@acme.dev')] });
    expect(reply({ newestInbound: inbound }).to).toEqual([at('ann@buyer.test', 'Ann')]);
  });

  it('writes to the same people again when nothing came in', () => {
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

  it('adds the other To and Cc for all, each once and never us', () => {
    const inbound = message({
      to: [at('Sales@ACME.dev'), at('sales+thr_1@acme.dev'), at('bob@buyer.test'), at('ANN@buyer.test')],
      cc: [at('cy@buyer.test'), at('bob@buyer.test'), at('cy@buyer.test'), at('sales@acme.dev')],
    });
    expect(reply({ newestInbound: inbound, replyAll: true })).toEqual({
      to: [at('ann@buyer.test', 'Ann'), at('bob@buyer.test')],
      cc: [at('cy@buyer.test')],
    });
  });

  it('has nobody to answer in an empty thread', () => {
    expect(reply({})).toEqual({ to: [], cc: [] });
  });
});
