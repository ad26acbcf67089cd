import { describe, expect, it } from 'vitest';
import { mergeParticipants, participantsMax } from '../../../lib/mail/threading/participants.ts';

const at = (address: string, name: string | null = null) => ({ name, address });

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
