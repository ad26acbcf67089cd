import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CannotStart } from '../../lib/local/start-watch.ts';
import { journalFile } from '../support/journal.ts';

const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').length - 1;

describe('a journal', () => {
  it('has what was set and not deleted, in its order, by name, after the process died', () => {
    const { open } = journalFile();
    const [first, other] = ['a', 'b'].map((name) => open().map<unknown>(name));
    expect([first?.size, other?.size]).toEqual([0, 0]);
    const map = open().map<unknown>('a');
    map.set('x', { n: 1 }).set('y', [2]).set('z', null);
    map.set('x', { n: 3 });
    map.delete('y');
    map.delete('never');
    const again = open();
    expect([...again.map('a')]).toEqual([
      ['x', { n: 3 }],
      ['z', null],
    ]);
    expect([...again.map('b')]).toEqual([]);
  });

  it('has the changes before one whose writer died', () => {
    const { file, open } = journalFile();
    open().map('a').set('x', 1).set('y', 2);
    appendFileSync(file, '["a","x",{"half":');
    const map = open().map('a');
    expect([...map]).toEqual([
      ['x', 1],
      ['y', 2],
    ]);
    map.delete('x');
    expect([...open().map('a')]).toEqual([['y', 2]]);
  });

  it('is not opened when it is damaged before its last line', () => {
    const { file, open } = journalFile();
    open().map('a').set('x', 1);
    writeFileSync(file, `half\n${readFileSync(file, 'utf8')}`);
    expect(() => open()).toThrow(CannotStart);
    expect(() => open()).toThrow(`${file}, line 1 is damaged`);
  });

  it('is written anew with the change after the last one that it has room for', () => {
    const { file, open } = journalFile();
    const map = open(10).map<number>('a');
    for (let n = 1; n <= 10; n++) map.set('x', n);
    expect(linesOf(file)).toBe(10);
    map.set('x', 11);
    expect(linesOf(file)).toBe(1);
    // One line in force, and room for ten.
    for (let n = 12; n <= 21; n++) map.set('x', n);
    expect(linesOf(file)).toBe(11);
    expect([...open().map('a')]).toEqual([['x', 21]]);
    expect(linesOf(file)).toBe(1);
  });
});
