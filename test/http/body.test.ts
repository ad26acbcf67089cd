import { describe, expect, it } from 'vitest';
import { Problem } from '../../lib/core/problems.ts';
import { readJson } from '../../lib/http/body.ts';
import { type EventInput, exchangeOf } from './gateway.ts';

const jsonHeaders = { 'content-type': 'application/json' };

/** The JSON of a request, or the code of the problem. */
function read(input: EventInput): unknown {
  try {
    return readJson(exchangeOf({ headers: jsonHeaders, ...input }));
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

describe('readJson', () => {
  it.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
  ])('takes the media type %s', (type) => {
    expect(read({ headers: { 'content-type': type }, body: '{}' })).toEqual({});
  });

  it.each([
    {},
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/problem+json' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json,application/json' },
    { 'content-type': 'multipart/form-data; boundary=application/json' },
  ])('refuses a body with the headers %j', (headers) => {
    expect(read({ headers, body: '{}' })).toBe('unsupported_media_type');
  });

  it('does not look at the media type when there is no body, since the gateway may have made one up', () => {
    expect(read({ headers: { 'content-type': 'application/x-www-form-urlencoded' } })).toBeUndefined();
    expect(read({ headers: {}, body: '' })).toBeUndefined();
  });

  it('reads plain and base64 bodies', () => {
    const body = '{"name":"Zoë"}';
    expect(read({ body })).toEqual({ name: 'Zoë' });
    expect(read({ body: Buffer.from(body).toString('base64'), isBase64Encoded: true })).toEqual({
      name: 'Zoë',
    });
  });

  it('leaves a byte order mark at the beginning out, and no other', () => {
    const marked = '\ufeff{"name":"a\ufeff"}';
    const expected = { name: 'a\ufeff' };
    expect(read({ body: marked })).toEqual(expected);
    expect(read({ body: Buffer.from(marked).toString('base64'), isBase64Encoded: true })).toEqual(expected);
    expect(read({ body: `\ufeff${marked}` })).toBe('invalid_json');
  });

  it.each([' ', '{', '\ufeff'])('refuses the body %j, which is no JSON', (body) => {
    expect(read({ body })).toBe('invalid_json');
  });

  it('refuses bytes that are no UTF-8', () => {
    const body = Buffer.from([0x22, 0xff, 0x22]).toString('base64');
    expect(read({ body, isBase64Encoded: true })).toBe('invalid_json');
  });
});
