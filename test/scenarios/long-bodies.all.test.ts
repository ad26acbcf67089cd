/** Received bodies that are too long for a response of the API (docs/concepts/limits.md). */

import { describe, expect, it } from 'vitest';
import { receivedTextBudget } from '../../lib/mail/text/text-limits.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

interface Email {
  readonly thread_id: string;
  readonly text: string;
  readonly stripped_text: string;
  readonly attachments: readonly { readonly filename: string; readonly download_url: string }[];
}

describe('a received body that exceeds the response size', () => {
  const line = 'The quick brown fox jumps over the lazy dog.';
  const text = `${line}\n`.repeat(70_000);
  const html = `<p>${line}</p>\n`.repeat(60_000);

  it.each([
    ['plain text', { text }, 'message.txt', text],
    ['html', { html }, 'message.html', html],
  ])('is cut in the response and attached whole: %s', async (_form, body, filename, whole) => {
    const ours = await workspace();
    const client = api(ours);
    const to = `support@${ours.providedDomain}`;
    await cloud().sendMail({ from: 'anna@example.test', to, subject: 'Log', ...body });
    await cloud().waitForQuiescence();
    const [head] = (await client.get('/emails')).body.data;
    const email = await client.get<Email>(`/emails/${head?.id}`);
    expect(email.status).toBe(200);
    // Compared as booleans: a failure would print megabytes.
    const shown = email.body.text;
    expect(shown.slice(0, line.length)).toBe(line);
    expect(email.body.stripped_text === shown).toBe(true);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(receivedTextBudget.plain);
    expect(Buffer.byteLength(shown)).toBeGreaterThan(receivedTextBudget.plain / 2);
    const { attachments } = email.body;
    expect(attachments.map((file) => file.filename)).toEqual([filename]);
    const file = await (await fetch(String(attachments[0]?.download_url))).text();
    // SMTP ends lines with CRLF (RFC 5321, 2.3.8), and the file has the octets as sent.
    expect(file.trimEnd() === whole.trimEnd().replaceAll('\n', '\r\n')).toBe(true);
    const thread = await client.get<{ messages: readonly unknown[] }>(`/threads/${email.body.thread_id}`);
    expect([thread.status, thread.body.messages.length]).toEqual([200, 1]);
  });

  it('is cut further when JSON escaping lengthens it', async () => {
    const ours = await workspace();
    const client = api(ours);
    await cloud().sendMail({
      from: 'anna@example.test',
      to: `support@${ours.providedDomain}`,
      subject: 'Quotes',
      html: `${'"'.repeat(900)}\n`.repeat(1100),
      headers: Object.fromEntries(
        Array.from({ length: 1000 }, (_, at) => [`X-Quotes-${at}`, '"'.repeat(900)]),
      ),
    });
    await cloud().waitForQuiescence();
    const [head] = (await client.get('/emails')).body.data;
    const { status, body } = await client.get<{ html: string; stripped_html: null; thread_id: string }>(
      `/emails/${head?.id}`,
    );
    expect([status, body.html.startsWith('"'), body.stripped_html]).toEqual([200, true, null]);
    expect((await client.get(`/threads/${body.thread_id}`)).status).toBe(200);
  });
});
