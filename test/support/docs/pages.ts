/** The pages that a reader follows, and their code blocks. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '../../..');

export interface Block {
  /** Of its page, from the root of the repository. */
  readonly page: string;
  /** Of its first line of code. */
  readonly line: number;
  /** `sh`, `json`, `js` …; empty where the fence names none. */
  readonly language: string;
  readonly text: string;
}

/** README, CONTRIBUTING and every page of `docs/` but decisions. */
export const pages = globSync(['README.md', 'CONTRIBUTING.md', 'docs/**/*.md'], {
  cwd: root,
  exclude: ['docs/decisions/**'],
}).sort();

export function textOf(page: string): string {
  return readFileSync(join(root, page), 'utf8');
}

/** The fenced blocks of a page, in order. A fence may be indented, as in a list. */
export function blocksOf(page: string, markdown = textOf(page)): readonly Block[] {
  const blocks: Block[] = [];
  let open: { indent: number; language: string; from: number; lines: string[] } | undefined;
  for (const [at, line] of markdown.split('\n').entries()) {
    const [, indent = '', language] = /^(\s*)```(\S*)/.exec(line) ?? [];
    if (language === undefined) open?.lines.push(line.slice(open.indent));
    else if (!open) open = { indent: indent.length, language, from: at + 2, lines: [] };
    else {
      blocks.push({ page, line: open.from, language: open.language, text: open.lines.join('\n') });
      open = undefined;
    }
  }
  if (open) throw new Error(`${page}:${open.from} has no closing fence`);
  return blocks;
}

/** A block of commands, with the output that the page shows for it. */
export interface Step {
  readonly commands: Block;
  /** The `json` or `text` block behind the commands, if it is the next one. */
  readonly shown?: Block;
}

/** The name under which a program is saved: its first line is a comment with it. */
export function fileNameOf({ language, text }: Block): string | undefined {
  return /^(?:js|ts)$/.test(language)
    ? /^\/\/ ((?:examples\/)?[\w-]+\.(?:mjs|ts))\n/.exec(`${text}\n`)?.[1]
    : undefined;
}

export interface Walk {
  readonly page: string;
  readonly steps: readonly Step[];
  /** Programs that the commands run, by name. */
  readonly programs: ReadonlyMap<string, string>;
}

/** What a reader of a page does, in order. */
export function walkOf(page: string, blocks = blocksOf(page)): Walk {
  const steps = blocks.flatMap((commands, at) => {
    if (commands.language !== 'sh') return [];
    const next = blocks[at + 1];
    return [{ commands, ...(next && /^(?:json|text)$/.test(next.language) && { shown: next }) }];
  });
  const programs = blocks.flatMap((block) => {
    const name = fileNameOf(block);
    return name ? [[name, block.text] as const] : [];
  });
  return { page, steps, programs: new Map(programs) };
}
