/** A page of docs/ as html, with what other pages and the search need to know of it. */
import { Marked, type Renderer, type Token, type Tokens } from 'marked';
import { escapeHtml } from '../mail/html/escape-html.ts';
import { areSamples, type CodeBlock, codeBlock, sampleTabs } from './code-blocks.ts';
import { slugs } from './slugs.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  /** Plain text. */
  readonly text: string;
}

/** The text below a heading, for the search. */
export interface Section {
  /** Null: the start of the page. */
  readonly heading: Heading | null;
  readonly text: string;
}

export interface RenderedPage {
  /** The first heading; the html does not contain it. */
  readonly title: string;
  /** Anchor of the first heading. */
  readonly id: string;
  /** The first paragraph as plain text. */
  readonly description: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

/** Where links lead. */
export interface LinkTargets {
  /** URL of a link of the page, or null: its target is not part of the site. */
  link(href: string): string | null;
  /** URL of what a piece of code names: a problem code, an operation; null: nothing. */
  code(text: string): string | null;
}

/** Type of the token of samples that are shown as tabs; its text is html. */
const samplesToken = 'samples';

/** @throws Error for a page without a first heading */
export function renderMarkdown(text: string, targets: LinkTargets): RenderedPage {
  const marked = new Marked({ gfm: true });
  const tokens = marked.lexer(text);
  const headings = headingsOf(tokens);
  const [first, ...rest] = headings;
  if (first?.depth !== 1) throw new Error('the page does not begin with a heading of depth 1');
  const body = withSamples(tokens.filter(({ type }) => type !== 'space').slice(1));
  const paragraph = body.find((token): token is Tokens.Paragraph => token.type === 'paragraph');
  marked.use({
    renderer: rendererOf(targets, rest),
    extensions: [{ name: samplesToken, renderer: ({ text: html }) => html }],
  });
  return {
    title: first.text,
    id: first.id,
    description: paragraph ? plainText(paragraph.tokens) : '',
    html: marked.parser(body),
    headings: rest,
    sections: sectionsOf(body, rest),
  };
}

function headingsOf(tokens: readonly Token[]): Heading[] {
  const slug = slugs();
  return tokens
    .filter((token): token is Tokens.Heading => token.type === 'heading')
    .map((token) => {
      const text = plainText(token.tokens);
      return { depth: token.depth, id: slug(text), text };
    });
}

/** Blocks of code that are one request in several languages, as one token. */
function withSamples(tokens: readonly Token[]): Token[] {
  const result: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const run = codeRun(tokens, at);
    const token = tokens[at];
    if (areSamples(run)) {
      result.push({ type: samplesToken, raw: '', text: sampleTabs(run) });
      at += run.length - 1;
    } else if (token) result.push(token);
  }
  return result;
}

function codeRun(tokens: readonly Token[], start: number): CodeBlock[] {
  const run: CodeBlock[] = [];
  for (const token of tokens.slice(start)) {
    if (token.type !== 'code') break;
    run.push({ language: languageOfFence(token.lang), code: token.text });
  }
  return run;
}

const languageOfFence = (lang: string | undefined): string => lang?.split(/\s/)[0] ?? '';

/** The parts that differ from the library's: anchors, links, code, tables that scroll, and no html from the page. */
function rendererOf(targets: LinkTargets, headings: readonly Heading[]) {
  const left = [...headings];
  let isInLink = false;
  return {
    heading(this: Renderer, { depth, tokens }: Tokens.Heading): string {
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = false;
      const id = escapeHtml(left.shift()?.id ?? '');
      return `<h${depth} id="${id}">${inner}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>\n`;
    },
    link(this: Renderer, { href, tokens }: Tokens.Link): string {
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = false;
      const url = targets.link(href);
      if (url === null) return `<span class="elsewhere" title="${escapeHtml(href)}">${inner}</span>`;
      return `<a href="${escapeHtml(url)}"${/^https?:/.test(url) ? ' rel="noreferrer"' : ''}>${inner}</a>`;
    },
    codespan({ text }: Tokens.Codespan): string {
      const code = `<code>${escapeHtml(text)}</code>`;
      const url = isInLink ? null : targets.code(text);
      return url === null ? code : `<a href="${escapeHtml(url)}">${code}</a>`;
    },
    code({ text, lang }: Tokens.Code): string {
      return codeBlock({ language: languageOfFence(lang), code: text });
    },
    table(this: Renderer, { header, rows }: Tokens.Table): string {
      const cell = (tag: string) => (one: Tokens.TableCell) =>
        `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
      const head = header.some(({ text }) => text !== '')
        ? `<thead><tr>${header.map((one) => (one.text === '' ? '<td></td>' : cell('th')(one))).join('')}</tr></thead>`
        : '';
      const body = rows.map((row) => `<tr>${row.map(cell('td')).join('')}</tr>`).join('');
      return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>`;
    },
    html({ text }: Tokens.HTML | Tokens.Tag): string {
      return text.startsWith('<!--') ? '' : escapeHtml(text);
    },
    image({ text }: Tokens.Image): string {
      // The site has no images of other hosts or of the repository.
      return escapeHtml(text);
    },
  };
}

function sectionsOf(tokens: readonly Token[], headings: readonly Heading[]): Section[] {
  const left = [...headings];
  const sections: { heading: Heading | null; text: string }[] = [{ heading: null, text: '' }];
  for (const token of tokens) {
    if (token.type === 'heading') sections.push({ heading: left.shift() ?? null, text: '' });
    else {
      const last = sections.at(-1);
      if (last && token.type !== 'code') last.text += `${plainText([token])} `;
    }
  }
  return sections;
}

/** The words of tokens. */
function plainText(tokens: readonly Token[]): string {
  return tokens.map(textOf).join('').replace(/\s+/g, ' ').trim();
}

function textOf(token: Token): string {
  if (token.type === 'html' || token.type === samplesToken) return '';
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map((cell) => plainText(cell.tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map((item) => ` ${textOf(item)}`).join(' ');
  if ('tokens' in token && token.tokens) return token.tokens.map(textOf).join('');
  if (token.type === 'br') return ' ';
  // The lexer leaves entities of Markdown in `text`; documents use characters.
  return 'text' in token && typeof token.text === 'string' ? token.text : '';
}
