/** `docs/navigation.json`, the order of the pages in the documentation that a deployment serves, and docs/README.md, the same in the repository. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pages, root, textOf } from '../support/docs/pages.ts';

interface Section {
  readonly title: string;
  /** From `docs/`. */
  readonly pages: readonly string[];
}

const sections: readonly Section[] = JSON.parse(readFileSync(join(root, 'docs/navigation.json'), 'utf8'));
const served = sections.flatMap((section) => section.pages);

describe('docs/navigation.json', () => {
  it('has every page of docs/ once', () => {
    const all = pages.filter((page) => /^docs\/(?!README\.md)/.test(page)).map((page) => page.slice(5));
    expect([...served].sort()).toEqual(all.sort());
  });

  it('has the sections and pages of docs/README.md, in its order', () => {
    const index = textOf('docs/README.md')
      .split(/^## /m)
      .slice(1)
      .map((section) => ({
        title: section.split('\n')[0] ?? '',
        pages: [...section.matchAll(/^\| \[[^\]]*\]\(([^)]*)\)/gm)].map(([, page = '']) => page),
      }));
    expect(index.filter(({ title }) => title !== 'In the repository')).toEqual(sections);
  });
});

describe('a page', () => {
  it.each(served)('%s has a title and a first paragraph that describes it', (page) => {
    const [title = '', description = ''] = textOf(`docs/${page}`).split(/\n\n/);
    expect(title).toMatch(/^# .+$/);
    expect(description).toMatch(/^[^#|<!-](?!``)/);
  });
});
