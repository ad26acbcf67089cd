/** The code blocks of README.md and docs/: each is one that `commands.cloud.all.test.ts` runs, or that another test covers. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isKnown } from '../support/docs/command.ts';
import { type Block, blocksOf, fileNameOf, pages, root, textOf, walkOf } from '../support/docs/pages.ts';
import { npmScripts } from '../support/docs/scripts.ts';
import { readShown } from '../support/docs/shown.ts';

const blocks = pages.flatMap((page) => blocksOf(page));
const walks = pages.map((page) => walkOf(page));
const placeOf = ({ page, line }: Block) => `${page}:${line}`;

/** Pages with code that no command runs, and the test that runs it. */
const testedApart: Readonly<Record<string, string>> = {
  'docs/verifying-webhooks.md': 'test/scenarios/verifying-webhooks.test.ts',
};

/** Pages that explain requests: each begins with one. */
const opening = pages.filter((page) => /^docs\/(?:concepts|guides)\//.test(page));

describe('code blocks', () => {
  it('are commands, their output, programs or diagrams', () => {
    expect(blocks.length).toBeGreaterThan(60);
    const allowed = /^(?:sh|json|text|js|ts|python|mermaid)?$/;
    expect(blocks.filter(({ language }) => !allowed.test(language)).map(placeOf)).toEqual([]);
  });

  it('of programs name the file that the commands of the page run, or are tested apart', () => {
    const untested = walks.flatMap(({ page, steps }) => {
      const commands = steps.map((step) => step.commands.text).join('\n');
      return blocksOf(page)
        .filter(({ language }) => /^(?:js|ts|python)$/.test(language))
        .filter((block) => {
          const name = fileNameOf(block);
          return name ? !commands.includes(`node ${name}`) : !(page in testedApart);
        });
    });
    expect(untested.map(placeOf)).toEqual([]);
    expect(Object.values(testedApart).filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('of programs in examples/ are those files', () => {
    const shown = walks.flatMap(({ programs }) => [...programs]).filter(([name]) => name.includes('/'));
    expect(shown.length).toBeGreaterThan(1);
    // Without the first line: a comment in the file, the name in the page.
    const codeOf = (text: string) => text.trimEnd().split('\n').slice(1).join('\n');
    for (const [name, text] of shown) expect(codeOf(text)).toBe(codeOf(textOf(name)));
  });

  it('of output can be compared', () => {
    const shown = walks.flatMap(({ steps }) => steps.flatMap((step) => step.shown ?? []));
    expect(shown.length).toBeGreaterThan(20);
    const unreadable = shown.filter(({ language, text }) => {
      if (language !== 'json') return false;
      try {
        return typeof readShown(text) !== 'object';
      } catch {
        return true;
      }
    });
    expect(unreadable.map(placeOf)).toEqual([]);
  });

  it('of commands call the API by the two variables that `npm start` prints', () => {
    const commands = blocks.filter(({ language }) => language === 'sh');
    const others = commands.filter(({ text }) =>
      /\$\{?(?:BASE|KEY|API|CONTROL|SMTP|TOKEN)\b|\/\/127[^ ]*\/api\/v/.test(
        text.replace(/^export PARLEY_BASE_URL=.*$/m, ''),
      ),
    );
    expect(others.map(placeOf)).toEqual([]);
  });
});

describe('commands of npm and npx', () => {
  it('are run by the test of commands, or it has a reason', () => {
    const called = blocks
      .filter(({ language }) => language === 'sh')
      .flatMap(({ text }) => [...text.matchAll(/^(?:npm|npx) [^#\n]*[^#\s]/gm)].map(([command]) => command));
    expect(called.length).toBeGreaterThan(15);
    expect(called.filter((command) => !isKnown(command))).toEqual([]);
  });
});

describe('scripts of package.json', () => {
  it('that a page names exist', () => {
    const named = pages.flatMap((page) =>
      [...textOf(page).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name = '']) => ({ page, name })),
    );
    expect(named.length).toBeGreaterThan(60);
    expect(named.filter(({ name }) => !(name in npmScripts))).toEqual([]);
  });
});

describe('a page of concepts or guides', () => {
  it.each(opening)('%s begins with a request', (page) => {
    const [first] = blocksOf(page);
    expect(first?.language).toBe('sh');
    expect(first?.text).toMatch(/\$\{?PARLEY_BASE_URL|smtp:/);
    expect(first?.line).toBeLessThan(20);
  });
});
