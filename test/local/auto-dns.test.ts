import { describe, expect, it } from 'vitest';
import { autoDns } from '../../lib/local/auto-dns.ts';
import type { ZoneRecord } from '../../lib/local/dns/zone.ts';

function published(name: string, statusCode = 201, path = '/api/v2/domains') {
  const zone: ZoneRecord[] = [];
  const records = [
    {
      id: 'dns_1',
      type: 'TXT',
      name: `k._domainkey.${name}`,
      value: 'v=DKIM1; p=x',
      priority: null,
      ttl: 300,
    },
    { id: 'dns_2', type: 'MX', name, value: 'inbound-smtp.us-east-1.amazonaws.com', priority: 10, ttl: 300 },
  ];
  const answer = {
    statusCode,
    headers: {},
    cookies: [],
    body: Buffer.from(JSON.stringify({ name, records })),
  };
  autoDns(
    { publish: (record) => zone.push(record) },
    { method: 'POST', path, functionArn: '', credentialsArn: null },
    answer,
  );
  return zone;
}

describe('autoDns', () => {
  it('publishes the records of a new domain below .test', () => {
    expect(published('shop.test')).toEqual([
      { type: 'TXT', name: 'k._domainkey.shop.test', value: 'v=DKIM1; p=x', priority: null },
      { type: 'MX', name: 'shop.test', value: 'inbound-smtp.us-east-1.amazonaws.com', priority: 10 },
    ]);
  });

  it('ignores other domains and responses', () => {
    expect(published('shop.example')).toEqual([]);
    expect(published('shop.test', 409)).toEqual([]);
    expect(published('shop.test', 201, '/api/v2/spaces')).toEqual([]);
  });

  it('publishes the records of a domain of version 1', () => {
    expect(published('shop.test', 200, '/api/v1/domains')).toHaveLength(2);
  });
});
