/** Attachments of received mail, from the SMTP port to the webhook and the API: original files and extracted text. */
import { describe, expect, it } from 'vitest';
import { docx, pdf, pdfLines, pdfPicture, wordParagraph } from '../mail/files/files.ts';
import { api } from '../support/api.ts';
import { cloud, type MailIn } from '../support/cloud.ts';
import { receiver } from '../support/receiver.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Preparation {
  readonly status: string;
  readonly format: string | null;
  readonly pages: number | null;
  readonly warnings: readonly string[];
  readonly content_url: string | null;
  readonly text: string | null;
}

interface Attachment {
  readonly id: string;
  readonly filename: string;
  readonly content_type: string;
  readonly size: number;
  readonly cid: string | null;
  readonly download_url: string;
  readonly preparation: Preparation | null;
}

interface Email {
  readonly id: string;
  readonly thread_id: string;
  readonly attachments: readonly Attachment[];
}

/** Receives a mail with files; the email. */
async function receive(ours: TestWorkspace, attachments: MailIn['attachments']): Promise<Email> {
  await cloud().sendMail({
    from: 'anna@example.test',
    to: `support@${ours.providedDomain}`,
    subject: 'Files',
    text: 'See attached.',
    attachments,
  });
  await cloud().waitForQuiescence();
  const { body } = await api(ours).get('/emails');
  const email = await api(ours).get<Email>(`/emails/${body.data[0]?.id}`);
  expect(email.status).toBe(200);
  return email.body;
}

const invoice = Buffer.from(pdf([pdfLines('Invoice 42')]));
const page = Buffer.from('<script>alert(1)</script><h1>Hello</h1>');

describe('a received attachment', () => {
  it('downloads unchanged under its own name, as a file and without a key', async () => {
    const ours = await workspace();
    const client = api(ours);
    const { attachments } = await receive(ours, [
      { filename: '請求書 №42.pdf', content: invoice, contentType: 'application/pdf' },
      { filename: 'page.html', content: page, contentType: 'text/html' },
    ]);
    expect(attachments).toEqual([
      expect.objectContaining({
        filename: '請求書 №42.pdf',
        content_type: 'application/pdf',
        size: invoice.length,
        cid: null,
      }),
      expect.objectContaining({ filename: 'page.html', content_type: 'text/html', size: page.length }),
    ]);

    const [first, second] = attachments;
    const named = `attachment; filename="___ _42.pdf"; filename*=UTF-8''%E8%AB%8B%E6%B1%82%E6%9B%B8%20%E2%84%9642.pdf`;
    const answer = await client.get(`/attachments/${first?.id}`);
    expect([answer.status, answer.body]).toEqual([307, null]);
    for (const url of [answer.headers.location, first?.download_url]) {
      const file = await fetch(String(url));
      expect(file.status).toBe(200);
      expect(file.headers.get('content-type')).toBe('application/pdf');
      expect(file.headers.get('content-disposition')).toBe(named);
      expect(Buffer.from(await file.arrayBuffer())).toEqual(invoice);
    }

    const html = await fetch(String(second?.download_url));
    expect(html.headers.get('content-type')).toBe('application/octet-stream');
    expect(html.headers.get('content-disposition')).toBe('attachment; filename="page.html"');

    const head = await client.request('HEAD', `/attachments/${second?.id}`);
    expect([head.status, head.body]).toEqual([200, null]);
    expect(head.headers).toMatchObject({
      'content-type': 'text/html',
      'content-length': String(page.length),
      'content-disposition': 'attachment; filename="page.html"',
    });
  });

  it('has its text behind a link, and in the email when include=attachment_content', async () => {
    const ours = await workspace();
    const client = api(ours);
    const contract = docx(wordParagraph('Contract', '<w:pStyle w:val="H2"/>') + wordParagraph('One.'));
    const { id, thread_id, attachments } = await receive(ours, [
      { filename: 'contract.docx', content: Buffer.from(contract) },
      { filename: 'long.txt', content: 'ä'.repeat(200_000), contentType: 'text/plain' },
    ]);
    const [short, long] = attachments;
    const expected = { status: 'ready', format: 'markdown', pages: null, warnings: [], text: null };
    expect(short?.preparation).toEqual({ ...expected, content_url: expect.any(String) });

    const answer = await client.get(`/attachments/${short?.id}/content`);
    expect([answer.status, answer.body]).toEqual([307, null]);
    for (const url of [answer.headers.location, short?.preparation?.content_url]) {
      const text = await fetch(String(url));
      expect(text.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(text.headers.get('content-disposition')).toBe('attachment; filename="contract.docx.md"');
      expect(await text.text()).toBe('## Contract\n\nOne.');
    }

    const full = await client.get<Email>(`/emails/${id}?include=attachment_content`);
    expect(full.body.attachments.map(({ preparation }) => preparation?.text)).toEqual([
      '## Contract\n\nOne.',
      'ä'.repeat(131_072),
    ]);
    expect(full.body.attachments[1]?.preparation?.warnings).toEqual([
      'The text is cut after 262144 bytes; see content_url for all of it.',
    ]);
    expect(await (await fetch(String(long?.preparation?.content_url))).text()).toBe('ä'.repeat(200_000));

    const thread = await client.get<{ messages: Email[] }>(`/threads/${thread_id}`);
    expect(thread.body.messages[0]?.attachments.map(({ preparation }) => preparation?.status)).toEqual([
      'ready',
      'ready',
    ]);
  });

  it('has a warning and its original when no text can be extracted', async () => {
    const ours = await workspace();
    const client = api(ours);
    const { attachments } = await receive(ours, [
      { filename: 'logo.png', content: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex') },
      { filename: 'broken.pdf', content: '%PDF-1.7 broken', contentType: 'application/pdf' },
      { filename: 'scan.pdf', content: Buffer.from(pdf([pdfPicture])), contentType: 'application/pdf' },
    ]);
    expect(attachments.map(({ preparation }) => [preparation?.status, preparation?.warnings[0]])).toEqual([
      ['unsupported', 'Text is not extracted from files of this type; download the original.'],
      ['failed', 'The file is damaged or incomplete.'],
      ['partial', 'The pages hold no text, only pictures: this is probably a scan.'],
    ]);
    for (const { id } of attachments) {
      expect((await client.get(`/attachments/${id}`)).status).toBe(307);
      const content = await client.get(`/attachments/${id}/content`);
      expect([content.status, content.body.code]).toEqual([404, 'not_prepared']);
    }
  });

  it('is not_found for another workspace', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const { attachments } = await receive(ours, [{ filename: 'a.txt', content: 'secret' }]);
    const path = `/attachments/${attachments[0]?.id}`;
    expect((await api(theirs).get(path)).status).toBe(404);
    expect((await api(theirs).get(`${path}/content`)).body.code).toBe('not_found');
    expect((await api(theirs).request('HEAD', path)).status).toBe(404);
  });
});

describe('email.received', () => {
  it('is posted once when one worker ends with the files', async () => {
    const ours = await workspace();
    const hook = await receiver();
    await api(ours).post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.received'] });
    await receive(ours, [
      { filename: 'a.pdf', content: invoice },
      { filename: 'c.bin', content: Buffer.from([0, 1, 2, 3]) },
    ]);
    expect(hook.requests.map(({ body }) => JSON.parse(body).type)).toEqual(['email.received']);
  });

  it('is one event, with the preparation of every file', async () => {
    const ours = await workspace();
    const hook = await receiver();
    await api(ours).post('/webhook-endpoints', { url: hook.url, subscriptions: ['email.received'] });
    const { attachments } = await receive(ours, [
      { filename: 'a.pdf', content: invoice },
      { filename: 'b.txt', content: 'text', contentType: 'text/plain' },
      { filename: 'c.bin', content: Buffer.from([0, 1, 2, 3]) },
    ]);
    const bodies = hook.requests.map(({ body }) => JSON.parse(body));
    // Workers that end with the last files at the same time both announce the event: it is posted again, with its id.
    const [first, ...again] = bodies;
    expect(again).toEqual(again.map(() => first));
    expect(first.type).toBe('email.received');
    expect(first.data.attachments).toEqual(
      attachments.map(({ id, filename, content_type, size, preparation }) => ({
        id,
        filename,
        content_type,
        size,
        preparation: { ...preparation, content_url: null },
      })),
    );
    expect(attachments.map(({ preparation }) => preparation?.status)).toEqual([
      'ready',
      'ready',
      'unsupported',
    ]);
  });
});

it('a sent attachment can be downloaded', async () => {
  const ours = await workspace();
  const client = api(ours);
  const sent = await client.post('/emails', {
    from: `support@${ours.providedDomain}`,
    to: 'anna@example.test',
    subject: 'Hello',
    text: 'Hello',
    attachments: [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }],
  });
  const { body } = await client.get<Email>(`/emails/${sent.body.id}`);
  const [attachment] = body.attachments;
  expect(attachment).toMatchObject({ filename: 'a.txt', content_type: 'text/plain', preparation: null });
  const answer = await client.get(`/attachments/${attachment?.id}`);
  expect(await (await fetch(String(answer.headers.location))).text()).toBe('hello');
  await cloud().waitForQuiescence();
});
