/** The TypeScript library reads attachments from every form of a file, and uploads those that are too large for a request. */
import { createReadStream, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { AttachmentInput } from '../../clients/typescript/src/index.ts';
import { json, offlineClient, problem, rejection, type SentRequest } from './support/offline-client.ts';

const mail = { from: 'a@acme.dev', to: 'anna@example.com', subject: 'Hi', text: 'Hello' };
const bytes = Buffer.from('item,count\nbooks,2\n');
const base64 = bytes.toString('base64');
const megabyte = 1024 * 1024;

function fileOf(content: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-files-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'list ü.csv');
  writeFileSync(path, content);
  return path;
}

/** Answers like the API and its store of files. */
function store() {
  const stored: { announced: unknown; headers: unknown; size: number }[] = [];
  const announced: unknown[] = [];
  const answer = (request: SentRequest) => {
    if (request.method === 'PUT') {
      stored.push({
        announced: announced[stored.length],
        headers: request.headers,
        size: (request.body as Blob).size,
      });
      return new Response(null, { status: 200 });
    }
    if (!request.url.endsWith('/attachments')) return json(201, { id: 'eml_1' });
    announced.push(request.body);
    const { content_type: type, size } = request.body as { content_type: string; size: number };
    const headers = { 'Content-Type': type, 'Content-Length': String(size) };
    const id = `att_${announced.length}`;
    return json(201, { id, upload_url: `https://files.example/${id}?sig=hush`, upload_headers: headers });
  };
  return { stored, ...offlineClient([answer]) };
}

async function sentAttachments(attachments: readonly AttachmentInput[]) {
  const { parley, requests, stored } = store();
  await parley.emails.send({ ...mail, attachments });
  const body = requests.at(-1)?.body as { attachments: unknown[] };
  return { attachments: body.attachments, stored, requests };
}

describe('a small file', () => {
  it.each([
    ['base64', () => ({ filename: 'a.csv', content: base64 }), { filename: 'a.csv' }],
    ['a Buffer', () => ({ filename: 'a.csv', content: bytes, cid: 'c' }), { filename: 'a.csv', cid: 'c' }],
    ['a Uint8Array', () => ({ filename: 'a.csv', content: new Uint8Array(bytes) }), { filename: 'a.csv' }],
    [
      'an ArrayBuffer',
      () => ({ filename: 'a.csv', content: new Uint8Array(bytes).buffer }),
      { filename: 'a.csv' },
    ],
    [
      'a Blob',
      () => ({ filename: 'a.csv', content: new Blob([bytes], { type: 'text/csv' }) }),
      { filename: 'a.csv', content_type: 'text/csv' },
    ],
    ['a File', () => new File([bytes], 'b.csv'), { filename: 'b.csv' }],
    ['a File as content', () => ({ content: new File([bytes], 'b.csv') }), { filename: 'b.csv' }],
    [
      'an answer of fetch',
      () => ({
        filename: 'a.csv',
        content: new Response(bytes, { headers: { 'content-type': 'text/csv' } }),
      }),
      { filename: 'a.csv', content_type: 'text/csv' },
    ],
    [
      'a web stream',
      () => ({ filename: 'a.csv', content: new Blob([bytes]).stream() }),
      { filename: 'a.csv' },
    ],
    [
      'a stream of Node',
      () => ({ filename: 'a.csv', content: Readable.from([bytes.subarray(0, 4), bytes.subarray(4)]) }),
      { filename: 'a.csv' },
    ],
    [
      'a stream of text',
      () => ({ filename: 'a.csv', content: Readable.from(bytes.toString()) }),
      { filename: 'a.csv' },
    ],
    [
      'a stream of a file',
      () => ({ filename: 'a.csv', content: createReadStream(fileOf(bytes)) }),
      { filename: 'a.csv' },
    ],
    ['a path', () => ({ path: fileOf(bytes) }), { filename: 'list ü.csv' }],
    ['a file URL', () => ({ path: pathToFileURL(fileOf(bytes)) }), { filename: 'list ü.csv' }],
    [
      'a path with a name',
      () => ({ path: fileOf(bytes), filename: 'x.csv', content_type: 'text/x' }),
      { filename: 'x.csv', content_type: 'text/x' },
    ],
  ] as [string, () => AttachmentInput, object][])('from %s is in the request', async (_, make, expected) => {
    const { attachments, stored } = await sentAttachments([make()]);
    expect(attachments).toEqual([{ ...expected, content: base64 }]);
    expect(stored).toEqual([]);
  });

  it('of an email or an upload is named', async () => {
    const { attachments } = await sentAttachments([{ attachment_id: 'att_9' }]);
    expect(attachments).toEqual([{ attachment_id: 'att_9' }]);
  });
});

describe('files that are too large for a request', () => {
  it('are uploaded, the small ones are not', async () => {
    const large = Buffer.alloc(4 * megabyte);
    const { attachments, stored, requests } = await sentAttachments([
      { filename: 'film.mp4', content: large },
      { filename: 'a.csv', content: bytes },
      { filename: 'b.bin', content: large.toString('base64'), cid: 'c' },
    ]);
    expect(attachments).toEqual([
      { attachment_id: expect.any(String) },
      { filename: 'a.csv', content: base64 },
      { attachment_id: expect.any(String) },
    ]);
    const size = large.length;
    const expected = [
      { filename: 'film.mp4', content_type: 'video/mp4', size },
      { filename: 'b.bin', content_type: 'application/octet-stream', size, cid: 'c' },
    ];
    expect(stored).toHaveLength(2);
    expect(stored.map(({ announced }) => announced)).toEqual(expect.arrayContaining(expected));
    for (const { headers, size: put } of stored) {
      expect(put).toBe(size);
      expect(headers).not.toHaveProperty('Content-Length');
    }
    for (const { headers, url } of requests) {
      if (url.startsWith('https://files.example')) expect(headers).not.toHaveProperty('Authorization');
    }
  });

  it('leave room for the rest of the body', async () => {
    const { parley, requests } = store();
    await parley.emails.send({
      ...mail,
      html: 'x'.repeat(2 * megabyte),
      attachments: [{ filename: 'a', content: Buffer.alloc(2 * megabyte) }],
    });
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
    const last = JSON.stringify(requests.at(-1)?.body);
    expect(last.length).toBeLessThan(4_000_000);
  });

  it('leave room for a body whose letters have several bytes', async () => {
    const { parley, requests } = store();
    const text = '漢'.repeat(600_000);
    const attachments = [{ filename: 'a', content: Buffer.alloc(1_800_000) }];
    await parley.emails.send({ ...mail, text, html: text, attachments });
    expect(requests.map(({ method }) => method)).toEqual(['POST', 'PUT', 'POST']);
  });

  it('are uploaded by themselves', async () => {
    const { parley, stored } = store();
    expect(await parley.attachments.upload({ filename: 'a.csv', content: bytes })).toEqual({
      attachment_id: 'att_1',
    });
    expect(stored).toMatchObject([
      { announced: { filename: 'a.csv', content_type: 'text/csv', size: 19 }, size: 19 },
    ]);
  });

  it('have time by their size, and no more than a request is given', async () => {
    const announced = json(201, { id: 'att_1', upload_url: 'https://files.example/', upload_headers: {} });
    const never = () => new Promise<Response>(() => {});
    const { parley } = offlineClient([announced, never], { timeoutMs: 1, maxRetries: 0 });
    const upload = (options = {}) =>
      rejection(parley.attachments.upload(new File([new Uint8Array(5_000)], 'a'), options));
    expect((await upload()).message).toContain('within 101 ms');
    expect((await upload({ timeoutMs: 2 })).message).toContain('within 2 ms');
  });

  it('are put again when the store fails, and not when it refuses', async () => {
    const upload = json(201, {
      id: 'att_1',
      upload_url: 'https://files.example/?sig=hush',
      upload_headers: {},
    });
    const denied = new Response('<Error><Code>AccessDenied</Code></Error>', { status: 403 });
    const { parley, requests } = offlineClient([upload, new Response('', { status: 503 }), denied]);
    const error = await rejection(parley.attachments.upload(new File([bytes], 'a')));
    expect(error).toMatchObject({ code: 'unexpected_response', status: 403 });
    expect(error.message).toContain('AccessDenied');
    expect(error.message).not.toContain('hush');
    expect(requests).toHaveLength(3);
  });
});

describe('a file that cannot be sent', () => {
  it.each([
    ['without a name', { content: bytes }, /attachments\.0 needs a filename/],
    ['without a content', { filename: 'a' }, /has no content/],
    ['of null', null, /is not an attachment/],
    ['of text', 'a.pdf', /is not an attachment/],
    ['of a number', { filename: 'a', content: 5 }, /no string, bytes/],
    ['that does not exist', { path: '/nonexistent/a.pdf' }, /cannot be read: ENOENT/],
    ['that is a page', { path: 'https://a.example/b.pdf' }, /content: await fetch/],
    [
      'of a data URL without base64',
      { filename: 'a', content: `data:text/plain,${'a'.repeat(200_000)}` },
      /not base64/,
    ],
    ['that is a folder', { path: tmpdir() }, /cannot be read: it is no file/],
    ['that is a device without an end', { path: '/dev/zero' }, /cannot be read: it is no file/],
    ['that is not base64', { filename: 'a', content: '!'.repeat(200_000) }, /not base64/],
  ])('%s is refused with its place', async (_, attachment, message) => {
    const { parley, requests } = store();
    const attachments = [attachment as unknown as AttachmentInput];
    expect((await rejection(parley.emails.send({ ...mail, attachments }))).message).toMatch(message);
    expect(requests).toEqual([]);
  });

  it('because its stream has no end, or was not begun, ends with the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let reads = 0;
    const content = (async function* () {
      reads += 1;
      yield bytes;
      controller.abort(new Error('enough'));
      await new Promise(() => {});
    })();
    const { parley, requests } = store();
    const send = () =>
      rejection(parley.emails.send({ ...mail, attachments: [{ filename: 'a', content }] }, { signal }));
    expect(await send()).toMatchObject({
      code: 'aborted',
      request: 'POST /emails',
      cause: { message: 'enough' },
    });
    expect(await send()).toMatchObject({ code: 'aborted' });
    expect([reads, requests]).toEqual([1, []]);
  });

  it('because its stream failed while another was read ends the send, not the program', async () => {
    const failing = createReadStream('/nonexistent/a.pdf');
    const closed = new Promise<void>((resolve) => failing.once('close', resolve));
    const slow = (async function* () {
      await closed;
      yield bytes;
    })();
    const attachments = [
      { filename: 'a', content: slow },
      { filename: 'b', content: failing },
    ];
    const { parley } = store();
    expect(await rejection(parley.emails.send({ ...mail, attachments }))).toMatchObject({
      code: 'invalid_argument',
      detail: expect.stringMatching(/^attachments\.1 cannot be read: ENOENT/),
    });
  });

  it('because all have more than 25 MB is refused with little of it read', async () => {
    let chunks = 0;
    const endless = (async function* () {
      for (;;) {
        chunks += 1;
        yield new Uint8Array(megabyte);
      }
    })();
    const { parley, requests } = store();
    const attachments = [
      { filename: 'a', content: new Uint8Array(20 * megabyte) },
      { filename: 'b', content: endless },
    ];
    const error = await rejection(parley.emails.send({ ...mail, attachments }));
    expect(error).toMatchObject({
      code: 'attachments_too_large',
      name: 'AttachmentsTooLargeError',
      status: 413,
    });
    expect(chunks).toBeLessThan(10);
    expect(requests).toEqual([]);
  });

  it('ends a send whose upload is refused', async () => {
    const { parley, requests } = offlineClient([problem(403, 'forbidden')]);
    const attachments = [{ filename: 'a', content: new Uint8Array(5 * megabyte) }];
    expect(await rejection(parley.emails.send({ ...mail, attachments }))).toMatchObject({
      code: 'forbidden',
    });
    expect(requests).toHaveLength(1);
  });
});
