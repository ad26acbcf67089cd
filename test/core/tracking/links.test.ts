import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { composeId } from '../../../lib/core/ids.ts';
import { claimedWorkspace, type Link, openLink, sealLink } from '../../../lib/core/tracking/links.ts';

const workspaceId = composeId('wks', 1, new Uint8Array(10).fill(1));
const emailId = composeId('eml', 2, new Uint8Array(10).fill(2));
const secret = 'the secret of the workspace';
const click: Link = {
  kind: 'click',
  workspaceId,
  emailId,
  recipient: null,
  target: 'https://example.com/?a=1&b=2#c',
};

describe('the token of a link', () => {
  it('opens to its link when the secret is right', () => {
    const links: Link[] = [
      click,
      { kind: 'unsubscribe', workspaceId, emailId, recipient: 0, target: null },
      { kind: 'unsubscribe', workspaceId, emailId, recipient: 299, target: null },
      { kind: 'open', workspaceId, emailId, recipient: null, target: null },
    ];
    for (const link of links) {
      const token = sealLink(link, secret);
      expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(openLink(link.kind, token, secret)).toEqual(link);
      expect(claimedWorkspace(token)).toBe(workspaceId);
    }
  });

  it('opens to null when another kind is expected', () => {
    const token = sealLink({ ...click, kind: 'open', target: null }, secret);
    expect(openLink('click', token, secret)).toBeNull();
    expect(openLink('unsubscribe', token, secret)).toBeNull();
  });

  it('opens to null when the secret is another', () => {
    expect(openLink('click', sealLink(click, 'another secret'), secret)).toBeNull();
  });

  it('opens to null when one of its characters is changed', () => {
    const token = sealLink(click, secret);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_'), (at, character) => {
        const altered = `${token.slice(0, at)}${character}${token.slice(at + 1)}`;
        // The last character's spare bits carry nothing.
        const isSame = Buffer.from(altered, 'base64url').equals(Buffer.from(token, 'base64url'));
        expect(openLink('click', altered, secret) === null).toBe(!isSame);
      }),
    );
  });

  it('opens to null when the text is no token', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(openLink('click', text, secret)).toBeNull();
      }),
    );
    for (const text of ['', 'A', '%00', 'A'.repeat(7000)]) expect(claimedWorkspace(text)).toBeNull();
  });
});
