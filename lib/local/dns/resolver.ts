/** In-process look-ups in a zone with the errors of `node:dns`, for emulators that query DNS. */
import type { DnsFault } from './message.ts';
import { normalizeName, type RecordType, type Zone, type ZoneRecord } from './zone.ts';

export interface ZoneResolver {
  txt(name: string): Promise<string[][]>;
  mx(name: string): Promise<{ exchange: string; priority: number }[]>;
}

/** Values of `code` of `node:dns` errors. */
type ErrorCode = 'ENOTFOUND' | 'ENODATA' | 'EREFUSED' | 'ESERVFAIL' | 'ETIMEOUT';

const errorCodes = { SERVFAIL: 'ESERVFAIL', REFUSED: 'EREFUSED', timeout: 'ETIMEOUT' } as const;

export function createZoneResolver(
  zone: Zone,
  faultAt: (name: string) => DnsFault | undefined,
): ZoneResolver {
  const find = (name: string, type: RecordType): ZoneRecord[] => {
    const fault = faultAt(normalizeName(name));
    if (fault !== undefined) throw lookUpError(errorCodes[fault], type, name);
    const { code, answers } = zone.query(name, type);
    if (code === 'SERVFAIL') throw lookUpError('ESERVFAIL', type, name);
    const found = answers.filter((record) => record.type === type);
    if (found.length === 0) throw lookUpError(code === 'NXDOMAIN' ? 'ENOTFOUND' : 'ENODATA', type, name);
    return found;
  };
  return {
    txt: async (name) => find(name, 'TXT').map(({ value }) => [value].flat()),
    mx: async (name) =>
      find(name, 'MX').map(({ value, priority }) => ({ exchange: String(value), priority: priority ?? 10 })),
  };
}

function lookUpError(code: ErrorCode, type: RecordType, name: string): Error {
  return Object.assign(new Error(`query${type} ${code} ${name}`), { code });
}
