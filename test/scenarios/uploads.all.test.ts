/** Files that are uploaded before their email: created, PUT to a link, named in sends, replies and forwards. */
import { describe, expect, it } from 'vitest';
import { now } from '../../lib/adapters/clock.ts';
import { type AnyBody, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';

interface Upload {
  readonly id: string;
  readonly upload_url: string;
  readonly upload_headers: Readonly<Record<string, string>>;
  readonly expires_at: string;
}

interface Email {
  readonly id: string;
  readonly attachments: readonly { id: string; download_url: string }[];
}

const megabyte = 1024 * 1024;

const message = (ours: TestWorkspace, attachments: unknown[], more: Record<string, unknown> = {}) => ({
  from: `support@${ours.providedDomain}`,
  to: 'anna@example.test',
  subject: 'Files',
  text: 'See attached.',
  attachments,
  ...more,
});

async function createUpload(ours: TestWorkspace, size: number, more: Record<string, unknown> = {}) {
  const file = { filename: 'report.pdf', content_type: 'application/pdf', size, ...more };
  const { status, body } = await api(ours).post<Upload>('/attachments', file);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

async function putFile(upload: Upload, bytes: Buffer, headers = upload.upload_headers): Promise<number> {
  const answer = await fetch(upload.upload_url, { method: 'PUT', headers, body: bytes });
  await answer.arrayBuffer();
  return answer.status;
}

async function upload(ours: TestWorkspace, bytes: Buffer, more: Record<string, unknown> = {}) {
  const opened = await createUpload(ours, bytes.length, more);
  expect(await putFile(opened, bytes)).toBe(200);
  return opened;
}

const refusal = ({ status, body }: { status: number; body: AnyBody }) => ({
  status,
  code: body.code,
  paths: ((body.issues ?? []) as { path: string }[]).map(({ path }) => path),
});

describe('POST /attachments', () => {
  it('answers a link that is valid for 15 minutes, and an id that is valid for a day', async () => {
    const ours = await workspace();
    const before = now();
    const { status, body } = await api(await ours.keyOf('sending')).post<Upload>('/attachments', {
      filename: 'report.pdf',
      content_type: 'application/pdf',
      size: 7,
    });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        id: expect.stringMatching(/^att_[0-9a-f]{32}$/),
        upload_url: expect.any(String),
        upload_headers: { 'Content-Type': 'application/pdf', 'Content-Length': '7' },
        expires_at: expect.any(String),
      },
    });
    expect(new URL(body.upload_url).searchParams.get('X-Amz-Expires')).toBe('900');
    const lifeHours = (Date.parse(body.expires_at) - before) / 3_600_000;
    expect(lifeHours).toBeGreaterThan(23.9);
    expect(lifeHours).toBeLessThan(24.1);
  });

  it('signs the link for the given type and size only', async () => {
    const ours = await workspace();
    const bytes = Buffer.from('a file');
    const opened = await createUpload(ours, bytes.length);
    const type = { 'Content-Type': 'application/pdf' };
    expect(await putFile(opened, Buffer.from('a longer file'), type)).toBe(403);
    expect(await putFile(opened, bytes, { 'Content-Type': 'text/html' })).toBe(403);
    expect((await fetch(opened.upload_url)).status).toBe(403);
    expect(await putFile(opened, bytes)).toBe(200);
  });

  it.each([
    ['of no bytes', { size: 0 }, 422, 'invalid_request', 'size'],
    ['of more than 25 MB', { size: 25 * megabyte + 1 }, 413, 'attachments_too_large', 'size'],
    ['with a path for a name', { filename: '../a' }, 422, 'invalid_request', 'filename'],
    [
      'with a media type that no header takes',
      { content_type: 'a/b; ü' },
      422,
      'invalid_request',
      'content_type',
    ],
  ])('refuses a file %s', async (_, more, status, code, path) => {
    const body = { filename: 'a.pdf', content_type: 'application/pdf', size: 1, ...more };
    const refused = await api(await workspace()).post('/attachments', body);
    expect(refusal(refused)).toEqual({ status, code, paths: [path] });
  });
});

describe('an uploaded file', () => {
  it('is sent with a send, a reply and a forward, each with a copy under a new id', async () => {
    const ours = await workspace();
    const client = api(ours);
    const bytes = Buffer.alloc(4 * megabyte, 'parley ');
    const named = { attachment_id: (await upload(ours, bytes, { filename: 'große Datei.pdf' })).id };
    const sent = await client.post('/emails', message(ours, [named]));
    expect(sent.status, JSON.stringify(sent.body)).toBe(201);
    const thread = `/threads/${sent.body.thread_id}`;
    const replied = await client.post(`${thread}/reply`, { text: 'Again.', attachments: [named] });
    const forwarded = await client.post(`${thread}/forward`, {
      to: 'bo@example.test',
      include_attachments: false,
      attachments: [named],
    });
    const ids = new Set([named.attachment_id]);
    for (const { status, body } of [sent, replied, forwarded]) {
      expect(status, JSON.stringify(body)).toBe(201);
      const { attachments } = (await client.get<Email>(`/emails/${body.id}`)).body;
      expect(attachments).toEqual([
        expect.objectContaining({
          filename: 'große Datei.pdf',
          content_type: 'application/pdf',
          size: bytes.length,
          cid: null,
        }),
      ]);
      ids.add(attachments[0]?.id ?? '');
      const file = await fetch(attachments[0]?.download_url ?? '');
      expect(Buffer.from(await file.arrayBuffer()).equals(bytes)).toBe(true);
    }
    expect(ids.size).toBe(4);
    await cloud().waitForQuiescence();
    const { raw } = await sentMail(sent.body.id);
    expect(raw.replace(/\s+/g, '')).toContain(bytes.subarray(0, 3000).toString('base64'));
  });

  it('keeps the order of the request, with the Content-ID of the send or else its own', async () => {
    const ours = await workspace();
    const client = api(ours);
    const { id } = await upload(ours, Buffer.from('logo'), { filename: 'logo.png', cid: '<logo>' });
    const inline = { filename: 'a.txt', content: Buffer.from('a').toString('base64') };
    const attachments = [{ attachment_id: id }, inline, { attachment_id: id, cid: 'other' }];
    const sent = await client.post('/emails', message(ours, attachments, { html: '<img src="cid:logo">' }));
    const { body } = await client.get<Email>(`/emails/${sent.body.id}`);
    expect(body.attachments).toMatchObject([
      { filename: 'logo.png', cid: 'logo' },
      { filename: 'a.txt', cid: null },
      { filename: 'logo.png', cid: 'other' },
    ]);
  });

  it('can be named again when the request is repeated, which sends nothing twice', async () => {
    const ours = await workspace();
    const client = api(ours);
    const [one, other] = [await upload(ours, Buffer.from('one')), await upload(ours, Buffer.from('two'))];
    const send = (id: string) =>
      client.post('/emails', message(ours, [{ attachment_id: id }]), { 'Idempotency-Key': 'k' });
    const [first, again, reused] = [await send(one.id), await send(one.id), await send(other.id)];
    expect([first.status, again.status, again.body.id]).toEqual([201, 200, first.body.id]);
    expect(refusal(reused)).toEqual({ status: 409, code: 'idempotency_key_reused', paths: [] });
  });

  it('is invalid_request with its path when no file was put yet, and nothing is sent', async () => {
    const ours = await workspace();
    const client = api(ours);
    const there = await upload(ours, Buffer.from('there'));
    const missing = await createUpload(ours, 5);
    const attachments = [{ attachment_id: there.id }, { attachment_id: missing.id }];
    const refused = await client.post('/emails', message(ours, attachments));
    expect(refusal(refused)).toEqual({
      status: 422,
      code: 'invalid_request',
      paths: ['attachments.1.attachment_id'],
    });
    expect((await client.get('/emails')).body.data).toEqual([]);
    expect(await putFile(missing, Buffer.from('later'))).toBe(200);
    expect((await client.post('/emails', message(ours, attachments))).status).toBe(201);
  });

  it('is not_found when it is of another workspace or does not exist', async () => {
    const [ours, theirs] = [await workspace(), await workspace()];
    const foreign = (await upload(theirs, Buffer.from('secret'))).id;
    for (const id of [foreign, `att_${'0'.repeat(32)}`, `eml_${'0'.repeat(32)}`, 'x']) {
      const refused = await api(ours).post('/emails', message(ours, [{ attachment_id: id }]));
      expect(refusal(refused)).toEqual({
        status: 404,
        code: 'not_found',
        paths: ['attachments.0.attachment_id'],
      });
    }
  });
});

it('an attachment of an email can be named in a send', async () => {
  const ours = await workspace();
  const client = api(ours);
  await cloud().sendMail({
    from: 'anna@example.test',
    to: `support@${ours.providedDomain}`,
    subject: 'Files',
    text: 'See attached.',
    attachments: [{ filename: 'a.txt', content: 'hello', contentType: 'text/plain' }],
  });
  await cloud().waitForQuiescence();
  const received = (await client.get('/emails')).body.data[0]?.id;
  const [file] = (await client.get<Email>(`/emails/${received}`)).body.attachments;
  const sent = await client.post('/emails', message(ours, [{ attachment_id: file?.id }]));
  const { body } = await client.get<Email>(`/emails/${sent.body.id}`);
  expect(body.attachments).toMatchObject([{ filename: 'a.txt', content_type: 'text/plain', size: 5 }]);
  expect(await (await fetch(body.attachments[0]?.download_url ?? '')).text()).toBe('hello');
});

it('inline files, uploads and forwarded files count together against 25 MB', async () => {
  const ours = await workspace();
  const client = api(ours);
  const big = { attachment_id: (await createUpload(ours, 25 * megabyte)).id };
  const small = { filename: 'a.txt', content: Buffer.from('a').toString('base64') };
  const tooLarge = { status: 413, code: 'attachments_too_large', paths: [] };
  expect(refusal(await client.post('/emails', message(ours, [big, small])))).toEqual(tooLarge);
  expect(refusal(await client.post('/emails', message(ours, [big, big])))).toEqual(tooLarge);

  const sent = await client.post('/emails', message(ours, [small]));
  const forward = { to: 'bo@example.test', attachments: [big] };
  const refused = await client.post(`/threads/${sent.body.thread_id}/forward`, forward);
  expect(refusal(refused)).toEqual(tooLarge);
});

describe('the media type of a file without one', () => {
  it.each([
    ['comes from its bytes', 'photo', Buffer.from('89504e470d0a1a0a', 'hex'), 'image/png'],
    ['comes from its bytes when its name differs', 'a.txt', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
    ['comes from its name when the bytes are ambiguous', 'a.csv', Buffer.from('a,b'), 'text/csv'],
    ['is text/plain when the bytes are text', 'LICENSE', Buffer.from('Copyright'), 'text/plain'],
    ['is application/octet-stream otherwise', 'a.bin', Buffer.from([0, 1, 2]), 'application/octet-stream'],
  ])('%s', async (_, filename, bytes, type) => {
    const ours = await workspace();
    const inline = { filename, content: bytes.toString('base64') };
    const sent = await api(ours).post('/emails', message(ours, [inline]));
    const { body } = await api(ours).get<Email>(`/emails/${sent.body.id}`);
    expect(body.attachments).toMatchObject([{ filename, content_type: type }]);
  });
});

it('a send names the path of an attachment that is neither a file nor a reference', async () => {
  const ours = await workspace();
  for (const attachment of [{}, { cid: 'a' }, 'att']) {
    const refused = await api(ours).post('/emails', message(ours, [attachment]));
    expect(refusal(refused)).toEqual({ status: 422, code: 'invalid_request', paths: ['attachments.0'] });
  }
});

async function sentMail(emailId: string) {
  const mails = await cloud().sentTo('anna@example.test');
  const mail = mails.find(({ tags }) => Object.values(tags).includes(emailId));
  return await cloud().sent(mail?.id ?? '');
}
