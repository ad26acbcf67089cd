import { describe, expect, it } from 'vitest';
import { refusalOf } from '../../lib/local/local-requests.ts';

const refusal = (method: string, headers: Record<string, string>) =>
  refusalOf({ method, rawHeaders: Object.entries(headers).flat() });

describe('requests to the control routes', () => {
  it.each(['localhost', '127.0.0.1:3000', 'LOCALHOST:1', '[::1]:3000'])('to %s are answered', (Host) => {
    expect(refusal('GET', { Host })).toBeNull();
    expect(refusal('POST', { Host })).toBeNull();
    expect(refusal('POST', { Host, Origin: `http://${Host}`, 'Sec-Fetch-Site': 'same-origin' })).toBeNull();
  });

  it.each([
    'evil.test',
    '127.0.0.1.evil.test',
    'localhost.evil.test:3000',
    '127.0.0.1@evil.test',
    '',
    '0.0.0.0',
  ])('to the host "%s" are refused: its name may lead here (DNS rebinding)', (Host) => {
    expect(refusal('GET', { Host })).toMatch(/^only requests to localhost/);
  });

  it.each([
    { Origin: 'http://evil.test' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:4000' },
    { Origin: 'https://127.0.0.1:3000' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ])('that change something are refused from pages of other origins: %o', (headers) => {
    const given = { Host: '127.0.0.1:3000', ...headers };
    expect(refusal('POST', given)).toMatch(/^only pages of this server/);
    expect(refusal('DELETE', given)).toMatch(/^only pages of this server/);
  });
});
