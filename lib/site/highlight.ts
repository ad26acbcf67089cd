/** Colors of code, as classes that the style sheet names. Runs at build time only. */
import { createRequire } from 'node:module';
import { escapeHtml } from '../mail/html/escape-html.ts';

/** What is used of highlight.js, whose own types bring those of browsers into the whole program. */
interface Highlighter {
  registerLanguage(name: string, language: unknown): void;
  highlight(code: string, options: { language: string }): { readonly value: string };
}

const require = createRequire(import.meta.url);
const highlighter: Highlighter = require('highlight.js/lib/core');
for (const name of ['bash', 'http', 'json', 'python', 'typescript']) {
  highlighter.registerLanguage(name, require(`highlight.js/lib/languages/${name}`));
}

/** The names that documents give languages. */
const names: Readonly<Record<string, string>> = {
  bash: 'bash',
  sh: 'bash',
  shell: 'bash',
  curl: 'bash',
  http: 'http',
  json: 'json',
  py: 'python',
  python: 'python',
  js: 'typescript',
  ts: 'typescript',
  typescript: 'typescript',
};

/** The language by which samples are grouped and titled. */
export function languageOf(name: string): string {
  return names[name.toLowerCase()] ?? name.toLowerCase();
}

/** Code as html; code of another language is escaped only. */
export function highlight(code: string, language: string): string {
  const known = names[language.toLowerCase()];
  return known ? highlighter.highlight(code, { language: known }).value : escapeHtml(code);
}
