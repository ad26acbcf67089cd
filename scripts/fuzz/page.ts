/** `bench/hostile.md`: the figures of the fuzzers, one section each. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const file = join(import.meta.dirname, '../../bench/hostile.md');
const title = '# Hostile input';
const intro = `Seeded runs of the fuzzers on the local cloud. A run fails when a response is a 5xx or does not match
\`docs/openapi/v2.json\`, when an accepted message is neither stored nor explained, when a queue is not empty at the end, or when
an invocation exceeds its time or memory.`;
const sections = ['Mail', 'In the browser', 'API requests'] as const;

/** Replaces one section; returns the path of the page. */
export function writeSection(section: (typeof sections)[number], text: string): string {
  const page = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const written = sections.flatMap((name) => {
    const body = name === section ? text.trim() : sectionOf(page, name);
    return body === null ? [] : [`## ${name}\n\n${body}`];
  });
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${[title, intro, ...written].join('\n\n')}\n`);
  return file;
}

function sectionOf(page: string, name: string): string | null {
  const found = page.split(/^## /m).find((part) => part.startsWith(`${name}\n`));
  return found?.slice(name.length).trim() ?? null;
}
