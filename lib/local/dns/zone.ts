/** The names that the local DNS knows, and what an authoritative server answers for them (RFC 1034 4.3.2, RFC 4592). */

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'SOA' | 'TXT';

/** A record as people write it. Names are compared case-blind; a name may be a wildcard (`*.example.test`). */
export interface ZoneRecord {
  readonly type: RecordType;
  readonly name: string;
  /** Address, target, or `mname rname serial refresh retry expire minimum`; TXT: one string, or its character strings. */
  readonly value: string | readonly string[];
  /** MX only; default 10. `.` with priority 0 is the null MX. */
  readonly priority?: number | null;
  /** Seconds; default 60. */
  readonly ttl?: number;
}

/** What to remove: records of that name, of one type or value where these are given. */
export type RecordPattern = Pick<ZoneRecord, 'name'> & Partial<ZoneRecord>;

export interface ZoneResponse {
  /** `NOERROR` without answers is "no data": the name is there, records of the type are not. */
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL';
  /** Aliases first, then what they lead to; each under the name that was asked for. */
  readonly answers: readonly ZoneRecord[];
  /** The zone's own SOA, where one is published above the name; for negative answers. */
  readonly authority: ZoneRecord | null;
}

export interface Zone {
  /** Publishing the same record again changes nothing. */
  publish(record: ZoneRecord): void;
  /** Returns how many went. */
  remove(pattern: RecordPattern): number;
  records(): readonly ZoneRecord[];
  answer(name: string, type: RecordType | 'ANY'): ZoneResponse;
}

/** A chain of aliases longer than this is a loop, or might as well be one. */
const aliasesMax = 8;

export function createZone(): Zone {
  const byName = new Map<string, ZoneRecord[]>();
  /** Every name with records at or below it, with how many: a name between two that exist exists as well. */
  const occupied = new Map<string, number>();

  const count = (name: string, by: number) => {
    for (const above of upwards(name)) {
      const total = (occupied.get(above) ?? 0) + by;
      if (total > 0) occupied.set(above, total);
      else occupied.delete(above);
    }
  };

  /** Records at a name, a wildcard's where it covers the name, or null where there is no such name. */
  const recordsAt = (name: string): readonly ZoneRecord[] | null => {
    if (occupied.has(name)) return byName.get(name) ?? [];
    // A wildcard stands right below the closest name that exists, and not where a nearer name does (RFC 4592 3.3.1).
    const encloser = upwards(name).find((above) => occupied.has(above));
    return byName.get(encloser === undefined ? '*' : `*.${encloser}`) ?? null;
  };

  const answer = (asked: string, type: RecordType | 'ANY'): ZoneResponse => {
    const answers: ZoneRecord[] = [];
    let name = plain(asked);
    for (let alias = 0; alias <= aliasesMax; alias++) {
      const records = recordsAt(name);
      const shown = (record: ZoneRecord): ZoneRecord => ({ ...record, name: alias === 0 ? asked : name });
      const found = records?.filter((record) => type === 'ANY' || record.type === type).map(shown) ?? [];
      answers.push(...found);
      const cname = records?.find((record) => record.type === 'CNAME');
      if (found.length > 0 || cname === undefined) {
        const code = records === null ? 'NXDOMAIN' : 'NOERROR';
        return { code, answers, authority: found.length > 0 ? null : startOfAuthority(name) };
      }
      answers.push(shown(cname));
      name = plain(String(cname.value));
    }
    return { code: 'SERVFAIL', answers: [], authority: null };
  };

  const startOfAuthority = (name: string): ZoneRecord | null => {
    for (const above of upwards(name)) {
      const record = byName.get(above)?.find(({ type }) => type === 'SOA');
      if (record !== undefined) return record;
    }
    return null;
  };

  return {
    publish: (record) => {
      const name = plain(record.name);
      const records = byName.get(name) ?? [];
      if (records.some((other) => isSame(other, record))) return;
      byName.set(name, [...records, record]);
      count(name, 1);
    },
    remove: (pattern) => {
      const name = plain(pattern.name);
      const records = byName.get(name) ?? [];
      const kept = records.filter((record) => !matches(record, pattern));
      if (kept.length > 0) byName.set(name, kept);
      else byName.delete(name);
      const removed = records.length - kept.length;
      if (removed > 0) count(name, -removed);
      return removed;
    },
    records: () => [...byName.values()].flat(),
    answer,
  };
}

/** Lower case, without the root's dot. */
export function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** The name and all above it, but for the root: `a.b.c`, `b.c`, `c`. */
function upwards(name: string): string[] {
  const labels = name.split('.');
  return labels.map((_, index) => labels.slice(index).join('.'));
}

function isSame(a: ZoneRecord, b: ZoneRecord): boolean {
  return (
    a.type === b.type && textOf(a.value) === textOf(b.value) && (a.priority ?? 10) === (b.priority ?? 10)
  );
}

function matches(record: ZoneRecord, { type, value, priority }: RecordPattern): boolean {
  return (
    (type === undefined || record.type === type) &&
    (value === undefined || textOf(record.value) === textOf(value)) &&
    (priority === undefined || priority === null || (record.priority ?? 10) === priority)
  );
}

function textOf(value: ZoneRecord['value']): string {
  return typeof value === 'string' ? value : value.join('');
}
