import { describe, expect, it } from 'vitest';
import { createZone, type ZoneRecord } from '../../../lib/local/dns/zone.ts';
import { journalFile } from '../../support/journal.ts';

function zoneOf(...records: ZoneRecord[]) {
  const zone = createZone();
  for (const record of records) zone.publish(record);
  return zone;
}

const a = (name: string, value = '192.0.2.1'): ZoneRecord => ({ type: 'A', name, value });
const cname = (name: string, value: string): ZoneRecord => ({ type: 'CNAME', name, value });

describe('createZone', () => {
  it('distinguishes NXDOMAIN from NODATA', () => {
    const zone = zoneOf(a('www.deep.example.test'));
    expect(zone.query('www.deep.example.test', 'MX').code).toBe('NOERROR');
    expect(zone.query('deep.example.test', 'A')).toMatchObject({ code: 'NOERROR', answers: [] });
    expect(zone.query('x.deep.example.test', 'A').code).toBe('NXDOMAIN');
    expect(zone.query('below.www.deep.example.test', 'A').code).toBe('NXDOMAIN');
  });

  it('matches names case-insensitively and answers with the queried spelling', () => {
    const zone = zoneOf(a('Example.TEST.'));
    expect(zone.query('eXample.test', 'A').answers).toEqual([a('eXample.test')]);
  });

  it('applies a wildcard to names that do not exist', () => {
    const zone = zoneOf(a('*.example.test'), { type: 'TXT', name: 'own.example.test', value: 'x' });
    expect(zone.query('any.example.test', 'A').answers).toEqual([a('any.example.test')]);
    expect(zone.query('very.deep.example.test', 'A').answers).toEqual([a('very.deep.example.test')]);
    expect(zone.query('own.example.test', 'A')).toMatchObject({ code: 'NOERROR', answers: [] });
    expect(zone.query('below.own.example.test', 'A').code).toBe('NXDOMAIN');
    expect(zone.query('any.example.test', 'MX')).toMatchObject({ code: 'NOERROR', answers: [] });
  });

  it('follows CNAMEs, dangling ones included, but no loop', () => {
    const zone = zoneOf(
      cname('a.test', 'b.test'),
      cname('b.test', 'c.test'),
      a('c.test'),
      cname('lost.test', 'nowhere.test'),
      cname('x.test', 'y.test'),
      cname('y.test', 'x.test'),
    );
    expect(zone.query('a.test', 'A').answers).toEqual([
      cname('a.test', 'b.test'),
      cname('b.test', 'c.test'),
      a('c.test'),
    ]);
    expect(zone.query('a.test', 'CNAME').answers).toEqual([cname('a.test', 'b.test')]);
    expect(zone.query('lost.test', 'A')).toMatchObject({
      code: 'NXDOMAIN',
      answers: [cname('lost.test', 'nowhere.test')],
    });
    expect(zone.query('x.test', 'A').code).toBe('SERVFAIL');
  });

  it('stores a record once and removes by name, type or value', () => {
    const zone = zoneOf(a('e.test'), a('e.test'), a('e.test', '192.0.2.2'), {
      type: 'TXT',
      name: 'e.test',
      value: ['a', 'b'],
    });
    expect(zone.records()).toHaveLength(3);
    expect(zone.remove({ name: 'E.test', type: 'TXT', value: 'ab' })).toBe(1);
    expect(zone.remove(a('e.test', '192.0.2.2'))).toBe(1);
    expect(zone.records()).toEqual([a('e.test')]);
    expect(zone.remove({ name: 'e.test' })).toBe(1);
    expect(zone.query('e.test', 'A').code).toBe('NXDOMAIN');
  });

  it('has its records after a restart, and the names above them', () => {
    const { open } = journalFile();
    const zone = createZone(open().map('dns'));
    zone.publish(a('www.deep.example.test'));
    zone.publish(a('gone.example.test'));
    zone.remove({ name: 'gone.example.test' });
    const again = createZone(open().map('dns'));
    expect(again.records()).toEqual([a('www.deep.example.test')]);
    expect(again.query('deep.example.test', 'A').code).toBe('NOERROR');
    expect(again.query('gone.example.test', 'A').code).toBe('NXDOMAIN');
  });
});
