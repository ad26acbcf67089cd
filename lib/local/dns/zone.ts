/** DNS records by name, and the authoritative answer to a query (RFC 1034 section 4.3.2, RFC 4592). */

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'SOA' | 'TXT';

/** A record in presentation format. Names are case-insensitive; a name may be a wildcard (`*.example.test`). */
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

/** Matches records of a name, narrowed by type or value. */
export type RecordPattern = Pick<ZoneRecord, 'name'> & Partial<ZoneRecord>;

export interface ZoneResponse {
  /** `NOERROR` without answers is NODATA: the name exists without records of the type (RFC 2308). */
  readonly code: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL';
  /** CNAMEs first, then the records of their target. The first keeps the spelling of the query. */
  readonly answers: readonly ZoneRecord[];
  /** SOA of the closest zone with one, for negative answers. */
  readonly authority: ZoneRecord | null;
}

export interface Zone {
  /** Idempotent. */
  publish(record: ZoneRecord): void;
  /** Returns the number of removed records. */
  remove(pattern: RecordPattern): number;
  records(): readonly ZoneRecord[];
  query(name: string, type: RecordType | 'ANY'): ZoneResponse;
}

/** Longer CNAME chains count as loops. */
const aliasesMax = 8;

/** @param byName records of an earlier run, by normalized name */
export function createZone(byName = new Map<string, readonly ZoneRecord[]>()): Zone {
  /** Number of records at or below each name: empty non-terminals exist too (RFC 4592 section 2.2.2). */
  const occupied = new Map<string, number>();

  const count = (name: string, by: number) => {
    for (const above of selfAndParents(name)) {
      const total = (occupied.get(above) ?? 0) + by;
      if (total > 0) occupied.set(above, total);
      else occupied.delete(above);
    }
  };

  for (const [name, records] of byName) count(name, records.length);

  /** Records of a name or of the wildcard that covers it; null: the name does not exist. */
  const recordsAt = (name: string): readonly ZoneRecord[] | null => {
    if (occupied.has(name)) return byName.get(name) ?? [];
    // The wildcard below the closest encloser applies (RFC 4592 section 3.3.1).
    const encloser = selfAndParents(name).find((above) => occupied.has(above));
    return byName.get(encloser === undefined ? '*' : `*.${encloser}`) ?? null;
  };

  const query = (asked: string, type: RecordType | 'ANY'): ZoneResponse => {
    const answers: ZoneRecord[] = [];
    let name = normalizeName(asked);
    for (let alias = 0; alias <= aliasesMax; alias++) {
      const records = recordsAt(name);
      const renamed = (record: ZoneRecord): ZoneRecord => ({ ...record, name: alias === 0 ? asked : name });
      const found = records?.filter((record) => type === 'ANY' || record.type === type).map(renamed) ?? [];
      answers.push(...found);
      const cname = records?.find((record) => record.type === 'CNAME');
      if (found.length > 0 || cname === undefined) {
        const code = records === null ? 'NXDOMAIN' : 'NOERROR';
        return { code, answers, authority: found.length > 0 ? null : startOfAuthority(name) };
      }
      answers.push(renamed(cname));
      name = normalizeName(String(cname.value));
    }
    return { code: 'SERVFAIL', answers: [], authority: null };
  };

  const startOfAuthority = (name: string): ZoneRecord | null => {
    for (const above of selfAndParents(name)) {
      const record = byName.get(above)?.find(({ type }) => type === 'SOA');
      if (record !== undefined) return record;
    }
    return null;
  };

  return {
    publish: (record) => {
      const name = normalizeName(record.name);
      const records = byName.get(name) ?? [];
      if (records.some((other) => isSame(other, record))) return;
      byName.set(name, [...records, record]);
      count(name, 1);
    },
    remove: (pattern) => {
      const name = normalizeName(pattern.name);
      const records = byName.get(name) ?? [];
      const kept = records.filter((record) => !matches(record, pattern));
      if (kept.length > 0) byName.set(name, kept);
      else byName.delete(name);
      const removed = records.length - kept.length;
      if (removed > 0) count(name, -removed);
      return removed;
    },
    records: () => [...byName.values()].flat(),
    query,
  };
}

/** A name in lower case without a trailing dot. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

/** A name and its parents without the root: `a.b.c`, `b.c`, `c`. */
function selfAndParents(name: string): string[] {
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
