import { describe, expect, it } from 'vitest';
import { siteUrl } from '../../lib/site/docs-pages.ts';
import { renderMarkdown } from '../../lib/site/markdown.ts';
import { slugs } from '../../lib/site/slugs.ts';

const targets = {
  link: (href: string) => (href.startsWith('../lib') ? null : href),
  code: (text: string) => (text === 'not_found' ? '/problems/not_found' : null),
};
const render = (body: string) => renderMarkdown(`# Title\n\n${body}`, targets);

describe('renderMarkdown', () => {
  it('takes the title, the description and the sections from the page', () => {
    const page = render(
      'First `words`\nof [it](a.md).\n\n## Part *one*\n\n- item\n\n## Part *one*\n\n| a |\n|---|\n| b |',
    );
    expect(page.title).toBe('Title');
    expect(page.description).toBe('First words of it.');
    expect(page.headings.map(({ id }) => id)).toEqual(['part-one', 'part-one-1']);
    expect(page.sections.map(({ text }) => text.trim())).toEqual(['First words of it.', 'item', 'a b']);
    expect(page.html).not.toContain('<h1');
  });

  it('shows html of a page as text and leaves comments out', () => {
    const { html } = render(
      'a <img src=x onerror=alert(1)> b\n\n<script>alert(1)</script>\n\n<!-- written by a command -->',
    );
    expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(html).not.toMatch(/<img|<script|written by/);
  });

  it('escapes code and the names of languages', () => {
    const { html } = render('```"><b\n<b>&amp;\n```\n\n`<i>`');
    expect(html).toContain('<pre tabindex="0"><code>&lt;b&gt;&amp;amp;</code></pre>');
    expect(html).toContain('<code>&lt;i&gt;</code>');
    expect(html).not.toContain('"><b');
  });

  it('links problem codes, but not inside of links or headings', () => {
    const { html } = render('## `not_found`\n\n`not_found` and [`not_found`](b.md)');
    expect(html.match(/\/problems\/not_found/g)).toHaveLength(1);
    expect(html).toContain('<a href="b.md"><code>not_found</code></a>');
  });

  it('names JavaScript as such, in the colors of TypeScript', () => {
    const { html } = render('```js\nconst a = 1;\n```');
    expect(html).toContain('<figcaption>JavaScript</figcaption>');
    expect(html).toContain('<span class="hljs-keyword">const</span>');
  });

  it('shows links to files outside of the site as text', () => {
    expect(render('[the code](../lib/env.ts)').html).toContain(
      '<span class="elsewhere" title="../lib/env.ts">the code</span>',
    );
  });

  it('joins the same request in several languages, and no other blocks', () => {
    const block = (language: string) => `\`\`\`${language}\nx\n\`\`\`\n\n`;
    expect(render(block('sh') + block('ts') + block('python')).html.match(/class="samples"/g)).toHaveLength(
      1,
    );
    expect(render(block('sh') + block('json')).html).not.toContain('class="samples"');
    expect(render(block('sh') + block('sh')).html).not.toContain('class="samples"');
  });

  it('refuses a page without a title', () => {
    expect(() => renderMarkdown('## Part', targets)).toThrow('does not begin with a heading of depth 1');
  });
});

describe('slugs', () => {
  it('are the anchors that GitHub gives headings', () => {
    const slug = slugs();
    expect(
      ['The email.unsubscribed event', 'API 5xx responses', 'What `a_b` is', 'Reply', 'Reply'].map(slug),
    ).toEqual(['the-emailunsubscribed-event', 'api-5xx-responses', 'what-a_b-is', 'reply', 'reply-1']);
  });
});

describe('siteUrl', () => {
  const known = new Set(['concepts/threads.md', 'deploying.md']);
  it.each([
    ['concepts/errors.md', 'threads.md#reply', '/docs/concepts/threads#reply'],
    ['concepts/errors.md', '../deploying.md', '/docs/deploying'],
    ['deploying.md', 'concepts/threads.md', '/docs/concepts/threads'],
    ['concepts/errors.md', '../README.md', '/docs'],
    ['README.md', 'openapi/v2.json', '/api/v2/openapi.json'],
    ['deploying.md', 'https://example.com/a.md', 'https://example.com/a.md'],
    ['deploying.md', '#costs', '#costs'],
    ['deploying.md', 'decisions/0001-http-api-as-one-body.md', null],
    ['deploying.md', '../lib/mail/README.md', null],
    ['deploying.md', 'javascript:alert(1)', null],
    ['deploying.md', 'data:text/html,x', null],
  ])('of a link in %s to %s is %s', (page, href, url) => {
    expect(siteUrl(page, href, known)).toBe(url);
  });
});
