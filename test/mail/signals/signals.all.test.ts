import { describe, expect, it } from 'vitest';
import { signalCodes } from '../../../lib/mail/signals/signal-codes.ts';
import { generated } from '../../fixtures/signals/generated.ts';
import { codesOf, rawOf } from '../../fixtures/signals/labelled-message.ts';
import { ordinaryMail } from '../../fixtures/signals/ordinary-mail.ts';

describe('signals', () => {
  it('have a recall of 95 % on generated messages', async () => {
    for (const kind of ['hidden', 'lookalike'] as const) {
      const messages = generated(kind, 1000, 2).filter(({ codes }) => codes.length > 0);
      const found = await Promise.all(messages.map(async (one) => await codesOf(rawOf(one), one)));
      const right = found.filter((codes, at) => codes.includes(messages[at]?.codes[0] ?? 'hidden_text'));
      expect(right.length / messages.length).toBeGreaterThanOrEqual(0.95);
    }
  });

  it('are found in at most 0.5 % of ordinary mail, each code', async () => {
    const messages = [...ordinaryMail().map(({ raw }) => raw), ...generated('newsletter', 500, 3).map(rawOf)];
    const found = await Promise.all(messages.map(async (raw) => await codesOf(raw, { own: [] })));
    const shares = signalCodes.map(
      (code) => found.filter((codes) => codes.includes(code)).length / found.length,
    );
    expect(Math.max(...shares)).toBeLessThanOrEqual(0.005);
  });
});
