/** Blocks of code, and samples of one request in several languages, which the script of the site shows as tabs. */
import { escapeHtml } from '../mail/html/escape-html.ts';
import { highlight, languageOf } from './highlight.ts';

export interface CodeBlock {
  /** As after the fence of Markdown: `sh`, `ts`, `python`, … */
  readonly language: string;
  readonly code: string;
}

/** Titles of the languages of samples, in the order of the tabs. */
const titles: Readonly<Record<string, string>> = {
  bash: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
};

const otherTitles: Readonly<Record<string, string>> = {
  js: 'JavaScript',
  json: 'JSON',
  http: 'HTTP',
  mermaid: 'Mermaid',
};

/** A block of code; long lines scroll. */
export function codeBlock({ language, code }: CodeBlock, title = titleOf(language)): string {
  return `<figure class="code"><figcaption>${escapeHtml(title)}</figcaption>${pre(language, code)}</figure>`;
}

function titleOf(language: string): string {
  const known = languageOf(language);
  if (known === 'bash') return 'Shell';
  // JavaScript has the colors of TypeScript.
  return otherTitles[language] ?? titles[known] ?? 'Text';
}

function pre(language: string, code: string): string {
  // What scrolls must be reachable by keyboard (WCAG 2.1.1).
  return `<pre tabindex="0"><code>${highlight(code.trimEnd(), language)}</code></pre>`;
}

/** One request in several languages. Without the script, the samples are below each other. */
export function sampleTabs(blocks: readonly CodeBlock[]): string {
  const figures = blocks.map(({ language, code }) => {
    const known = languageOf(language);
    const title = titles[known] ?? titleOf(language);
    return `<figure class="code" data-language="${escapeHtml(known)}"><figcaption>${escapeHtml(title)}</figcaption>${pre(language, code)}</figure>`;
  });
  return `<div class="samples">${figures.join('')}</div>`;
}

/** Whether blocks that follow each other are the same request in different languages. */
export function areSamples(blocks: readonly CodeBlock[]): boolean {
  const languages = blocks.map(({ language }) => languageOf(language));
  return (
    blocks.length > 1 &&
    new Set(languages).size === languages.length &&
    languages.every((language) => language in titles)
  );
}
