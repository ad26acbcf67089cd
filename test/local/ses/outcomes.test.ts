import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../lib/local/ses/outcomes.ts';

describe('outcomeOf', () => {
  it.each([
    ['success@simulator.amazonses.com', 'delivered'],
    ['bounce@simulator.amazonses.com', 'bounce'],
    ['Bounce+label@SIMULATOR.amazonses.com', 'bounce'],
    ['complaint@simulator.amazonses.com', 'complaint'],
    ['ooto@simulator.amazonses.com', 'out-of-office'],
    ['suppressionlist@simulator.amazonses.com', 'suppressed'],
    ['anna+bounce@example.test', 'bounce'],
    ['anna+x+softbounce@example.test', 'soft-bounce'],
    ['anna+delay@example.test', 'delay'],
    ['anna+reject@example.test', 'reject'],
    ['anna+complaint@example.test', 'complaint'],
    ['bounce@example.test', 'delivered'],
    ['anna+toString@example.test', 'delivered'],
    ['no-domain', 'delivered'],
  ])('%s: %s', (address, outcome) => {
    expect(outcomeOf(address)).toBe(outcome);
  });
});
