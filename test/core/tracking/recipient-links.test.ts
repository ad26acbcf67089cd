import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import { openLink } from '../../../lib/core/tracking/links.ts';
import { addRecipientLinks } from '../../../lib/core/tracking/recipient-links.ts';
import { tokenOfSubject } from '../../../lib/core/tracking/unsubscribe.ts';

const workspaceId = composeId('wks', 1, new Uint8Array(10).fill(1));
const emailId = composeId('eml', 2, new Uint8Array(10).fill(2));
const secret = 'secret';
const signing = { workspaceId, emailId, from: 'news+a@acme.test', recipient: 3, secret };
const terms = { baseUrl: 'https://api.test', unsubscribe: false, opens: false, clicks: false };
const parts = { html: '<p>Hi</p>', text: 'Hi', headers: [{ name: 'X-A', value: 'b' }] };
const optional = { ...terms, unsubscribe: true };

const urlIn = (text: string | null, path: string): string =>
  new RegExp(`https://api\\.test${path}([A-Za-z0-9_-]+)`).exec(text ?? '')?.[1] ?? '';

describe('addRecipientLinks', () => {
  it('changes nothing when no links are enabled', () => {
    expect(addRecipientLinks(parts, terms, signing)).toEqual(parts);
  });

  it('adds List-Unsubscribe headers with a URL and a mailto', () => {
    const { headers } = addRecipientLinks(parts, optional, signing);
    const [own, list, post] = headers;
    expect(own).toEqual({ name: 'X-A', value: 'b' });
    expect(list?.name).toBe('List-Unsubscribe');
    const [, url = '', address, subject = ''] =
      /^<https:\/\/api\.test\/u\/([\w-]+)>, <mailto:([^?]+)\?subject=([^>]+)>$/.exec(list?.value ?? '') ?? [];
    expect(openLink('unsubscribe', url, secret)).toMatchObject({ emailId, recipient: 3 });
    expect(decodeURIComponent(address ?? '')).toBe('news+a@acme.test');
    expect(tokenOfSubject(decodeURIComponent(subject))).toBe(url);
    expect(post).toEqual({ name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' });
  });

  it('replaces List-Unsubscribe headers of the caller', () => {
    const given = { ...parts, headers: [{ name: 'list-unsubscribe', value: '<https://acme.test/>' }] };
    const { headers } = addRecipientLinks(given, optional, signing);
    expect(headers.map(({ name }) => name)).toEqual(['List-Unsubscribe', 'List-Unsubscribe-Post']);
  });

  it('appends a link to each body when there is no placeholder', () => {
    const { html, text } = addRecipientLinks({ ...parts, html: '<body><p>Hi</p></body>' }, optional, signing);
    expect(html).toMatch(
      /^<body><p>Hi<\/p><p [^>]+>.*<a href="https:\/\/api\.test\/u\/[\w-]+".*<\/p><\/body>$/,
    );
    expect(text).toMatch(/^Hi\n\n.*Unsubscribe: https:\/\/api\.test\/u\/[\w-]+\n$/);
  });

  it('replaces the placeholder, also when it is URL-encoded', () => {
    const given = {
      ...parts,
      html: '<a href="{{unsubscribe_url}}">1</a><a href="%7B%7Bunsubscribe_url%7D%7D">2</a>',
      text: 'Out: {{ unsubscribe_url }}',
    };
    const { html, text } = addRecipientLinks(given, optional, signing);
    expect(html).toMatch(/^<a href="https:\/\/api\.test\/u\/[\w-]+">1<\/a><a href="https:[^"]+">2<\/a>$/);
    expect(text).toMatch(/^Out: https:\/\/api\.test\/u\/[\w-]+$/);
  });

  it('writes a link for each recipient and one pixel for all', () => {
    const all = { ...optional, opens: true };
    const [one, two] = [3, 4].map((recipient) => addRecipientLinks(parts, all, { ...signing, recipient }));
    expect(urlIn(one?.html ?? '', '/u/')).not.toBe(urlIn(two?.html ?? '', '/u/'));
    expect(urlIn(one?.html ?? '', '/t/o/')).toBe(urlIn(two?.html ?? '', '/t/o/'));
    expect(openLink('open', urlIn(one?.html ?? '', '/t/o/'), secret)).toMatchObject({
      emailId,
      recipient: null,
    });
  });

  it('tracks links in html, but not the unsubscribe link or links in text', () => {
    const given = {
      ...parts,
      html: '<a href="https://example.com/">x</a> <a href="{{unsubscribe_url}}">out</a>',
      text: 'https://example.com/',
    };
    const { html, text } = addRecipientLinks(given, { ...optional, clicks: true }, signing);
    expect(openLink('click', urlIn(html, '/t/c/'), secret)).toMatchObject({ target: 'https://example.com/' });
    expect(openLink('unsubscribe', urlIn(html, '/u/'), secret)).not.toBeNull();
    expect(text).toContain('https://example.com/\n');
  });
});
