import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  ListPartsCommand,
  NoSuchKey,
  NotFound,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createS3, type S3 } from '../../../lib/local/aws/s3.ts';
import { type CorsRule, corsHeaders } from '../../../lib/local/aws/s3-cors.ts';
import type { Lifecycle } from '../../../lib/local/aws/s3-lifecycle.ts';
import type { AwsCall, NeededPermission } from '../../../lib/local/aws/service.ts';
import { localSecret } from '../../../lib/local/aws/sigv4.ts';
import { createClock } from '../../../lib/local/clock.ts';
import { localAws } from './local-aws.ts';

const Bucket = 'letters';

async function start(
  authorize?: (role: string, needed: NeededPermission) => boolean,
  failsCopy: () => boolean = () => false,
  lifecycle?: Lifecycle,
) {
  const made: S3[] = [];
  const aws = await localAws((clock) => {
    const s3 = createS3({ clock, failsCopy });
    s3.createBucket(Bucket, { lifecycle });
    made.push(s3);
    return [s3];
  }, authorize);
  const client = (principal: string) => {
    const created = new S3Client({ ...aws.as(principal), forcePathStyle: true });
    onTestFinished(() => created.destroy());
    return created;
  };
  const admin = client('local-admin');
  const put = (Key: string, Body: string | Buffer = Key) =>
    admin.send(new PutObjectCommand({ Bucket, Key, Body }));
  return { ...aws, admin, client, put, s3: made[0] as S3 };
}

describe('S3 lifecycle rules', () => {
  const rule = { Status: 'Enabled', ExpirationInDays: 2, Prefix: 'in/' } as const;
  const tagFilters = [{ Key: 'dropped', Value: 'true' }];
  const day = 24 * 3_600_000;

  async function startWith(Rules: Lifecycle['Rules']) {
    const { admin, put, s3, clock } = await start(undefined, undefined, { Rules });
    const keys = () => s3.list(Bucket).map(({ key }) => key);
    const tag = (Key: string, Tagging: { TagSet: { Key: string; Value: string }[] }) =>
      admin.send(new PutObjectTaggingCommand({ Bucket, Key, Tagging }));
    return { admin, put, keys, tag, clock };
  }

  it('expire objects with the prefix at the midnight that follows', async () => {
    const { admin, put, keys, clock } = await startWith([{ ...rule, TagFilters: [] }]);
    await put('in/a');
    await put('out/a');
    await clock.advance(2 * day - 1000);
    expect(keys()).toEqual(['in/a', 'out/a']);
    await clock.advance(day + 1000);
    expect(keys()).toEqual(['out/a']);
    await expect(admin.send(new GetObjectCommand({ Bucket, Key: 'in/a' }))).rejects.toThrow(NoSuchKey);
  });

  it('expire objects with all tags of the rule, which PutObjectTagging replaces', async () => {
    const { put, keys, tag, clock } = await startWith([{ ...rule, TagFilters: tagFilters }]);
    for (const key of ['in/plain', 'in/dropped', 'in/kept']) await put(key);
    await tag('in/dropped', { TagSet: [{ Key: 'dropped', Value: 'true' }] });
    await tag('in/kept', { TagSet: [{ Key: 'dropped', Value: 'true' }] });
    await tag('in/kept', { TagSet: [{ Key: 'dropped', Value: 'false' }] });
    await clock.advance(3 * day);
    expect(keys()).toEqual(['in/kept', 'in/plain']);
    await expect(tag('in/missing', { TagSet: [] })).rejects.toThrow(NoSuchKey);
  });
});

describe('S3 objects', () => {
  it('are returned with bytes, type, metadata and ETag', async () => {
    const { admin } = await start();
    const Key = 'a b/ü+&<ö>.txt';
    const stored = await admin.send(
      new PutObjectCommand({
        Bucket,
        Key,
        Body: 'Grüße',
        ContentType: 'text/plain; charset=utf-8',
        ContentDisposition: 'inline',
        Metadata: { sender: 'anna' },
      }),
    );
    const got = await admin.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: 'ENABLED' }));
    expect(await got.Body?.transformToString()).toBe('Grüße');
    expect(got).toMatchObject({
      ContentType: 'text/plain; charset=utf-8',
      ContentDisposition: 'inline',
      ContentLength: 7,
      Metadata: { sender: 'anna' },
      ETag: stored.ETag,
      ChecksumCRC32: stored.ChecksumCRC32,
    });
    expect(await admin.send(new HeadObjectCommand({ Bucket, Key }))).toMatchObject({
      ContentLength: 7,
      Metadata: { sender: 'anna' },
      ETag: stored.ETag,
    });
  });

  it('are refused when they are streamed in chunks, which Parley never does', async () => {
    const { admin } = await start();
    const Body = Readable.from(['parley']);
    const put = new PutObjectCommand({ Bucket, Key: 'streamed', Body, ContentLength: 6 });
    await expect(admin.send(put)).rejects.toMatchObject({ name: 'NotImplemented' });
  });

  it('are rejected when the checksum does not match', async () => {
    const { admin } = await start();
    const put = new PutObjectCommand({ Bucket, Key: 'a', Body: 'a', ChecksumCRC32: 'AAAAAA==' });
    await expect(admin.send(put)).rejects.toMatchObject({ name: 'BadDigest' });
  });

  it('are written once with If-None-Match: *', async () => {
    const { admin } = await start();
    const put = (Body: string) =>
      admin.send(new PutObjectCommand({ Bucket, Key: 'a', Body, IfNoneMatch: '*' }));
    await put('first');
    await expect(put('second')).rejects.toMatchObject({ name: 'PreconditionFailed' });
    const got = await admin.send(new GetObjectCommand({ Bucket, Key: 'a' }));
    expect(await got.Body?.transformToString()).toBe('first');
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=5-99', '56789', 'bytes 5-9/10'],
  ])('are read in part with Range %s', async (Range, part, ContentRange) => {
    const { admin, put } = await start();
    await put('digits', '0123456789');
    const got = await admin.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }));
    expect(await got.Body?.transformToString()).toBe(part);
    expect(got.ContentRange).toBe(ContentRange);
  });

  it('are refused when their keys have more than 1,024 bytes, as in S3', async () => {
    const { admin, put, s3 } = await start();
    const [longest, tooLong] = [`é${'k'.repeat(1022)}`, `é${'k'.repeat(1023)}`];
    await put(longest);
    const refused = {
      name: 'KeyTooLongError',
      message: 'Your key is too long',
      $metadata: { httpStatusCode: 400 },
    };
    await expect(put(tooLong)).rejects.toMatchObject({ ...refused, Size: '1025', MaxSizeAllowed: '1024' });
    const copy = { Bucket, Key: tooLong, CopySource: `${Bucket}/${encodeURIComponent(longest)}` };
    await expect(admin.send(new CopyObjectCommand(copy))).rejects.toMatchObject(refused);
    await expect(admin.send(new GetObjectCommand({ Bucket, Key: tooLong }))).rejects.toMatchObject(refused);
    await expect(s3.put(Bucket, tooLong, Buffer.from(''))).rejects.toMatchObject({ code: 'KeyTooLongError' });
    expect(s3.list(Bucket).map(({ key }) => key)).toEqual([longest]);
  });

  it('return NoSuchKey when missing, or AccessDenied without permission to list', async () => {
    const { admin, client } = await start((_role, { action }) => action === 's3:GetObject');
    const get = new GetObjectCommand({ Bucket, Key: 'none' });
    await expect(admin.send(get)).rejects.toBeInstanceOf(NoSuchKey);
    await expect(admin.send(new HeadObjectCommand({ Bucket, Key: 'none' }))).rejects.toBeInstanceOf(NotFound);
    await expect(client('reader').send(get)).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('are copied and deleted', async () => {
    const { admin, put } = await start();
    for (const key of ['a', 'c & d']) await put(key);
    await admin.send(new CopyObjectCommand({ Bucket, Key: 'copy', CopySource: `${Bucket}/c%20%26%20d` }));
    await admin.send(new DeleteObjectCommand({ Bucket, Key: 'a' }));
    const { Contents } = await admin.send(new ListObjectsV2Command({ Bucket }));
    expect(Contents?.map(({ Key }) => Key)).toEqual(['c & d', 'copy']);
    const copy = await admin.send(new GetObjectCommand({ Bucket, Key: 'copy' }));
    expect(await copy.Body?.transformToString()).toBe('c & d');
  });

  it('are listed in pages, by prefix', async () => {
    const { admin, put } = await start();
    for (const key of ['in/1', 'in/2', 'in/sub/3', 'in/sub/4', 'out/5']) await put(key);
    const keys: string[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await admin.send(
        new ListObjectsV2Command({ Bucket, Prefix: 'in/', MaxKeys: 3, ContinuationToken }),
      );
      keys.push(...(page.Contents ?? []).map(({ Key }) => Key ?? ''));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken);
    expect(keys).toEqual(['in/1', 'in/2', 'in/sub/3', 'in/sub/4']);
    const grouped = new ListObjectsV2Command({ Bucket, Delimiter: '/' });
    await expect(admin.send(grouped)).rejects.toMatchObject({ name: 'UnknownOperationException' });
  });

  it('outlive the process when stored in a directory', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'parley-s3-'));
    const clock = createClock();
    onTestFinished(() => {
      clock.close();
      rmSync(directory, { recursive: true });
    });
    const open = () => {
      const s3 = createS3({ clock, directory });
      s3.createBucket(Bucket);
      return s3;
    };
    const before = open();
    await before.put(Bucket, 'a/../b', Buffer.from('old'));
    await before.put(Bucket, 'a/../b', Buffer.from('new'), 'text/plain');
    const after = open();
    expect(after.list(Bucket).map(({ key }) => key)).toEqual(['a/../b']);
    const object = await after.get(Bucket, 'a/../b');
    expect(object?.body.toString()).toBe('new');
    expect(object?.headers).toEqual({ 'content-type': 'text/plain' });
  });

  it('reject unsupported operations', async () => {
    const { admin } = await start();
    const parts = new ListPartsCommand({ Bucket, Key: 'a', UploadId: 'x' });
    await expect(admin.send(parts)).rejects.toMatchObject({ name: 'UnknownOperationException' });
    const tagged = new PutObjectCommand({ Bucket, Key: 'a', Body: 'a', Tagging: 'a=b' });
    await expect(admin.send(tagged)).rejects.toMatchObject({ name: 'NotImplemented' });
  });
});

describe('S3 requests', () => {
  it('may be virtual-hosted-style', async () => {
    const { put, gateway } = await start();
    await put('folder/a b.txt', 'hello');
    const Host = `${Bucket}.s3.eu-central-1.amazonaws.com`;
    const signed = await getSignedUrl(
      new S3Client({
        region: 'eu-central-1',
        credentials: { accessKeyId: 'local-admin', secretAccessKey: localSecret('local-admin') },
      }),
      new GetObjectCommand({ Bucket, Key: 'folder/a b.txt' }),
    );
    const url = new URL(signed);
    expect(url.host).toBe(Host);
    const get = (path: string) =>
      new Promise<[number | undefined, string]>((resolve) => {
        request(gateway.url + path, { headers: { Host } }, async (response) => {
          resolve([response.statusCode, await text(response)]);
        }).end();
      });
    expect(await get(url.pathname + url.search)).toEqual([200, 'hello']);
    expect(await get(`/folder/other.txt${url.search}`)).toMatchObject([
      403,
      expect.stringContaining('SignatureDoesNotMatch'),
    ]);
  });

  it('may fail to copy with an error in the body of a 200', async () => {
    let fails = true;
    const { put, admin: client, s3 } = await start(undefined, () => fails);
    await put('from', 'hello');
    const copy = new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/from` });
    await expect(client.send(copy)).rejects.toMatchObject({ name: 'InternalError' });
    expect(await s3.get(Bucket, 'to')).toBeNull();
    fails = false;
    await client.send(copy);
    expect(await s3.get(Bucket, 'to')).toMatchObject({ bytes: 5 });
  });
});

describe('pages of other origins', () => {
  const rule = { AllowedMethods: ['PUT'], AllowedHeaders: ['content-type', 'x-a-*'], MaxAge: 60 };
  const called = (rules: readonly CorsRule[], method: string, headers: Record<string, string>) =>
    corsHeaders(rules, { method, headers } as unknown as AwsCall);
  const asked = (origin: string, names = 'content-type', method = 'PUT') =>
    ({
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': names,
    }) as const;

  it.each<[string, readonly string[], Record<string, string>, string | null]>([
    ['every origin', ['*'], asked('https://a.example'), '*'],
    ['one origin', ['https://a.example'], asked('https://a.example'), 'https://a.example'],
    ['a pattern', ['https://*.example'], asked('https://b.a.example'), 'https://b.a.example'],
    ['another origin', ['https://a.example'], asked('https://a.example.evil'), null],
    ['a pattern that overlaps', ['https://ab*ba.example'], asked('https://aba.example'), null],
    ['another method', ['*'], asked('https://a.example', 'content-type', 'DELETE'), null],
    ['a header by pattern', ['*'], asked('https://a.example', 'X-A-B, Content-Type'), '*'],
    ['another header', ['*'], asked('https://a.example', 'content-type, x-b'), null],
  ])('are answered by the rules of the bucket: %s', (_, AllowedOrigins, headers, expected) => {
    const answer = called([{ ...rule, AllowedOrigins }], 'OPTIONS', headers);
    expect(answer?.['access-control-allow-origin'] ?? null).toBe(expected);
  });

  it('need a rule, and calls of programs do not', async () => {
    const { admin } = await start();
    const href = await getSignedUrl(admin, new PutObjectCommand({ Bucket, Key: 'a' }));
    const preflight = await fetch(href, { method: 'OPTIONS', headers: asked('https://a.example') });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([403, null]);
    expect((await fetch(href, { method: 'PUT', body: 'x' })).status).toBe(200);
  });
});

describe('presigned URLs', () => {
  const may = (role: string, { action, resource }: NeededPermission) =>
    role === 'reader' && action === 's3:GetObject' && resource === `arn:aws:s3:::${Bucket}/a b.txt`;

  async function link(options: { expiresIn?: number; signer?: string; disposition?: string } = {}) {
    const local = await start(may);
    await local.put('a b.txt', 'hello');
    const href = await getSignedUrl(
      local.client(options.signer ?? 'reader'),
      new GetObjectCommand({
        Bucket,
        Key: 'a b.txt',
        ResponseContentDisposition: options.disposition ?? "attachment; filename*=UTF-8''%C3%BC%20'(1)'.txt",
        ResponseContentType: 'text/x-letter',
      }),
      { expiresIn: options.expiresIn ?? 300 },
    );
    return { ...local, url: new URL(href) };
  }

  it('return the object without credentials, with response overrides', async () => {
    const { url } = await link();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('hello');
    expect(response.headers.get('content-type')).toBe('text/x-letter');
    expect(response.headers.get('content-disposition')).toBe(
      "attachment; filename*=UTF-8''%C3%BC%20'(1)'.txt",
    );
  });

  it('are rejected when the file name is not a valid header', async () => {
    const { url } = await link({ disposition: 'attachment; filename="ü.txt"' });
    const response = await fetch(url);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('<Code>InvalidArgument</Code>');
  });

  it('expire by the local clock', async () => {
    const { url, clock } = await link();
    await clock.advance(302_000);
    const response = await fetch(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('<Message>Request has expired</Message>');
  });

  it.each<[string, (url: URL) => void]>([
    [
      'the key',
      (url) => {
        url.pathname = `/${Bucket}/other.txt`;
      },
    ],
    ['a parameter', ({ searchParams }) => searchParams.set('response-content-type', 'text/html')],
    ['the expiry', ({ searchParams }) => searchParams.set('X-Amz-Expires', '600000')],
    [
      'the signer',
      ({ searchParams }) => {
        const credential = searchParams.get('X-Amz-Credential') ?? '';
        searchParams.set('X-Amz-Credential', credential.replace('reader', 'local-admin'));
      },
    ],
    ['the signature', ({ searchParams }) => searchParams.set('X-Amz-Signature', '0'.repeat(64))],
  ])('are rejected when %s is altered', async (_what, alter) => {
    const { url } = await link();
    alter(url);
    const response = await fetch(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('SignatureDoesNotMatch');
  });

  it('are limited to the permissions of their signer', async () => {
    const { url } = await link({ signer: 'writer' });
    const response = await fetch(url);
    expect(response.status).toBe(403);
    expect(await response.text()).toContain(
      'assumed-role/writer/local is not authorized to perform: s3:GetObject',
    );
  });

  it('accept an upload', async () => {
    const { admin } = await start();
    const href = await getSignedUrl(admin, new PutObjectCommand({ Bucket, Key: 'up' }), { expiresIn: 60 });
    const response = await fetch(href, { method: 'PUT', body: 'uploaded' });
    expect(response.status).toBe(200);
    const got = await admin.send(new GetObjectCommand({ Bucket, Key: 'up' }));
    expect(await got.Body?.transformToString()).toBe('uploaded');
  });
});

describe('S3 versions', () => {
  it('have a marker in the place of a deleted object, without which the object is there again', async () => {
    const { admin, put } = await start();
    await put('a/1');
    await put('a/2');
    await admin.send(new DeleteObjectCommand({ Bucket, Key: 'a/1' }));
    const markers = async () =>
      (await admin.send(new ListObjectVersionsCommand({ Bucket, Prefix: 'a/' }))).DeleteMarkers ?? [];
    const [marker] = await markers();
    expect(marker).toMatchObject({ Key: 'a/1', IsLatest: true });
    const restore = new DeleteObjectCommand({ Bucket, Key: 'a/1', VersionId: marker?.VersionId });
    await admin.send(restore);
    await admin.send(restore);
    expect(await markers()).toEqual([]);
    const { Body } = await admin.send(new GetObjectCommand({ Bucket, Key: 'a/1' }));
    expect(await Body?.transformToString()).toBe('a/1');
  });

  it('of an object that was stored again are gone', async () => {
    const { admin, put } = await start();
    await put('a/1', 'old');
    await admin.send(new DeleteObjectCommand({ Bucket, Key: 'a/1' }));
    await put('a/1', 'new');
    expect((await admin.send(new ListObjectVersionsCommand({ Bucket }))).DeleteMarkers ?? []).toEqual([]);
  });
});
