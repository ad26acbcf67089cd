import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readNavigation } from '../../lib/site/navigation.ts';

const docs = join(import.meta.dirname, '../../docs');
const pages = globSync('**/*.md', { cwd: docs }).filter(
  (page) => page !== 'README.md' && !/^(decisions|openapi)\//.test(page),
);
const json = readFileSync(join(docs, 'navigation.json'), 'utf8');

describe('docs/navigation.json', () => {
  it('has every page of docs/ in one section', () => {
    const listed = readNavigation(json, new Set(pages)).flatMap((section) => section.pages);
    expect([...listed].sort()).toEqual([...pages].sort());
  });
});

describe('readNavigation', () => {
  const sections = (...names: string[]) => JSON.stringify([{ title: 'Start', pages: names }]);

  it('names the pages that are missing or listed twice', () => {
    const known = new Set(['a.md', 'b.md']);
    expect(() => readNavigation(sections('a.md', 'guides/c.md'), known)).toThrow(
      'docs/navigation.json lists missing pages: guides/c.md',
    );
    expect(() => readNavigation(sections('a.md', 'b.md', 'a.md'), known)).toThrow(
      'docs/navigation.json lists pages twice: a.md',
    );
  });

  it('refuses what is no path of a page', () => {
    for (const page of ['../secret.md', '/etc/passwd', 'a.json']) {
      expect(() => readNavigation(sections(page), new Set([page]))).toThrow('is not a path of a page');
    }
  });
});
