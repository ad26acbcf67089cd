import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesInResponse, fitEmail, type Sizeable } from '../../../lib/core/emails/response-size.ts';
import { limits } from '../../../lib/core/limits.ts';
import { receivedTextBudget } from '../../../lib/mail/text/text-limits.ts';
import { randomCases } from '../../support/random-cases.ts';

const bodies = (html: string | null, text: string | null, segments: Sizeable['segments'] = []): Sizeable => ({
  to: [],
  cc: [],
  headers: [],
  references: [],
  html,
  text,
  strippedText: text,
  strippedHtml: html,
  segments,
});

describe('fitEmail, on bodies', () => {
  it('changes nothing when they fit', () => {
    const line = 'The quick brown fox jumps over the lazy dog.';
    const text = `${line}\n`.repeat(receivedTextBudget.plain / 46);
    const html = `<p class="a">${line}</p>\n`.repeat(receivedTextBudget.html / 64);
    const all = bodies(html, text, [{ kind: 'written', text }]);
    // Compared as texts: Vitest would print megabytes of a difference.
    expect(JSON.stringify(fitEmail(all)) === JSON.stringify(all)).toBe(true);
  });

  it('leaves out derived bodies before it cuts text or html', () => {
    const all = bodies('"'.repeat(600_000), '"'.repeat(500_000), [
      { kind: 'written', text: '"'.repeat(500_000) },
    ]);
    const { html, text, strippedHtml, segments } = fitEmail(all);
    expect([html === all.html, text === all.text, strippedHtml, segments]).toEqual([true, true, null, []]);
  });

  it('keeps the limit whatever they contain', () => {
    const body = fc
      .tuple(fc.constantFrom('"', '\\', '\n', '\u0001', 'a', 'ä', '€', '😀', '<p>'), fc.nat(700_000))
      .map(([unit, count]) => unit.repeat(count));
    const segment = body.map((text) => ({ kind: 'quoted' as const, text }));
    fc.assert(
      fc.property(body, body, fc.array(segment, { maxLength: 2 }), (html, text, segments) => {
        expect(bytesInResponse(fitEmail(bodies(html, text, segments)))).toBeLessThanOrEqual(
          limits.emailBytes + 200,
        );
      }),
      randomCases(4),
    );
  });

  it('leaves out segments when there are very many', () => {
    const segments = Array.from({ length: 160_000 }, () => ({ kind: 'quoted' as const, text: 'b' }));
    expect(fitEmail(bodies(null, 'b', segments)).segments.length).toBe(0);
  });
});

describe('fitEmail, on lists', () => {
  const addresses = (count: number, name: string) =>
    Array.from({ length: count }, (_, at) => ({ name, address: `p${at}@example.com` }));

  it('changes nothing when there are ten thousand recipients', () => {
    const to = addresses(10_000, 'Ann');
    expect(fitEmail({ ...bodies(null, 'a'), to, cc: to })).toMatchObject({ to, cc: to, text: 'a' });
  });

  it('keeps the limit together with bodies, whatever they contain', () => {
    const to = addresses(9000, '"'.repeat(200));
    const headers = Array.from({ length: 3000 }, () => ({ name: 'x-a', value: '"'.repeat(900) }));
    const references = Array.from({ length: 9000 }, () => `<${'\\'.repeat(300)}@a>`);
    const whole = { ...bodies('"'.repeat(1_000_000), '"'.repeat(500_000)), to, cc: to, headers, references };
    const shown = fitEmail(whole);
    expect(bytesInResponse(shown)).toBeLessThanOrEqual(limits.emailBytes + 200);
    for (const list of ['to', 'cc', 'headers', 'references'] as const) {
      expect(shown[list].length).toBeGreaterThan(0);
      expect(shown[list].length).toBeLessThan(whole[list].length);
    }
    expect(shown.html?.startsWith('"')).toBe(true);
  });
});

describe('bytesInResponse', () => {
  it.each([
    ['a', 1],
    ['ä', 2],
    ['\n', 3],
    ['"', 4],
    ['\\', 4],
    ['\u0001', 7],
  ])('counts %j as %i', (character, bytes) => {
    expect(bytesInResponse(character.repeat(100)) - bytesInResponse('')).toBe(100 * bytes);
  });
});
