import { describe, expect, it } from 'vitest';
import { Recent } from '../../../lib/core/work/recent.ts';

describe('Recent', () => {
  it('starts anew when a new entry would exceed its bound', () => {
    const recent = new Recent<string, number>(2);
    recent.set('a', 1);
    recent.set('b', 2);
    recent.set('a', 3);
    expect([recent.get('a'), recent.get('b')]).toEqual([3, 2]);
    recent.set('c', 4);
    expect([recent.get('a'), recent.get('b'), recent.get('c')]).toEqual([undefined, undefined, 4]);
    recent.delete('c');
    expect(recent.get('c')).toBe(undefined);
  });
});
