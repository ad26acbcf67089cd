import { beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { limits } from '../../lib/core/limits.ts';
import { parseOptions } from '../../lib/http/issues.ts';
import { api } from '../support/api.ts';
import { stringFields, withField } from '../support/body-fields.ts';
import { cloud } from '../support/cloud.ts';
import { mailOf5Kb } from '../support/conversation.ts';
import { bodyOf, callOf, type FixtureContext, targetOf } from '../support/operation-fixtures.ts';
import { type TestWorkspace, workspace } from '../support/workspace.ts';
import { workspaceContext } from '../support/workspace-context.ts';

const withBody = operations.flatMap((contract) =>
  contract.body ? [{ id: contract.id, contract, fields: stringFields(contract.body) }] : [],
);

let own: TestWorkspace;
let context: FixtureContext;

beforeAll(async () => {
  own = await workspace();
  context = workspaceContext(own);
});

const mb = 1_000_000;
/** Inputs that regular expressions repeat over or search in; a request carries 6 MB ("Lambda quotas"). */
const hostile = [
  ...['a', '=', 'a.', '@'].map((unit) => unit.repeat((5 * mb) / unit.length)),
  ...['0', ' ', ';', '"', '<', '*', '\\"', 'ä', '\n', 'a@'].map((unit) => unit.repeat(mb / unit.length)),
  ...['data:', '"', '<', '2026-01-31T12:00:00.', 'https://', 'a@', 'a/a;'].flatMap((prefix) =>
    ['a', '0', ' ', ';', '.', '=a;'].map((unit) => prefix + unit.repeat(mb / unit.length)),
  ),
];

describe('the schema of a body', () => {
  it.each(withBody)(
    'of $id parses every string field when it has megabytes',
    async ({ contract, fields }) => {
      const valid = await bodyOf(contract, context);
      for (const { path } of fields) {
        for (const value of hostile) {
          const parse = () => contract.body?.safeParse(withField(valid, path, value), parseOptions);
          expect(parse, path.join('.')).not.toThrow();
        }
      }
    },
  );
});

describe('every operation with a body', () => {
  it.each(withBody.filter(({ fields }) => fields.length > 0))(
    '$id answers no 5xx when a string field is at its limit',
    async ({ contract, fields }) => {
      const call = await callOf(contract, context);
      for (const { path, maxLength } of fields) {
        if (maxLength === null) continue;
        const body = withField(call.body, path, 'a'.repeat(maxLength));
        const { status } = await api(own).request(contract.method, targetOf(contract, call), { body });
        expect(status, path.join('.')).toBeLessThan(500);
      }
    },
  );
});

describe('a send', () => {
  const send = (more: object) => api(own).post('/emails', { ...mailOf5Kb(context.address), ...more });

  it.each(['text', 'html'])('answers 201 when %s is at its limit', async (field) => {
    expect((await send({ [field]: 'Words. '.repeat(limits.bodyBytes / 7) })).status).toBe(201);
    await cloud().waitForQuiescence();
  });

  it('answers 201 when its inline attachments have 3.2 or 4.4 MiB', async () => {
    for (const mebibytes of [3.2, 4.4]) {
      const content = Buffer.alloc(mebibytes * 2 ** 20, 'Parley').toString('base64');
      expect((await send({ attachments: [{ filename: 'a.txt', content }] })).status).toBe(201);
    }
    await cloud().waitForQuiescence();
  });

  it.each([
    ['without padding', Buffer.from('Hello').toString('base64').replaceAll('=', ''), 'Hello'],
    ['with line breaks', 'SGVs\r\nbG8=\n', 'Hello'],
    ['with unused bits that are set', 'SGVsbG9=', 'Hello'],
    ['as a data URL', 'data:text/plain;charset=utf-8;base64,SGVsbG8=', 'Hello'],
    ['of an empty file', '', ''],
  ])('stores an inline attachment in base64 %s', async (_, content, text) => {
    const { body, status } = await send({ attachments: [{ filename: 'a.txt', content }] });
    expect(status).toBe(201);
    const { attachments } = (
      await api(own).get<{ attachments: { download_url: string; size: number }[] }>(`/emails/${body.id}`)
    ).body;
    expect(attachments[0]?.size).toBe(text.length);
    expect(await (await fetch(attachments[0]?.download_url ?? '')).text()).toBe(text);
  });

  it.each([
    'SGVsb',
    '====',
    'SGVs!G8=',
    'SGVsbG8=x',
    'A',
    'SGVs_-8=',
    'data:text/plain,Hello',
    'data:;base64',
  ])('answers invalid_request when an inline attachment is %j', async (content) => {
    const { status, body } = await send({ attachments: [{ filename: 'a.txt', content }] });
    expect([status, body.code]).toEqual([422, 'invalid_request']);
    expect(body.issues).toEqual([{ path: 'attachments.0.content', message: 'must be base64 or a data URL' }]);
  });
});
