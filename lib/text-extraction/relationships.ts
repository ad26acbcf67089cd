/** How the parts of an Office document refer to each other (ECMA-376 part 2, "Relationships"). */
import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { walkXml } from './xml.ts';

export interface Relationship {
  /** Last segment of its type, such as `worksheet`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** What a part refers to inside the archive, by relationship id. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Map<string, Relationship>> {
  const found = new Map<string, Relationship>();
  const rels = await archive.read(`${posix.dirname(part)}/_rels/${posix.basename(part)}.rels`);
  if (!rels) return found;
  walkXml(rels, {
    open({ name, attributes: { Id, Type, Target, TargetMode } }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
      // A path from the root, or from the part's own folder; one that climbs higher ends at the root.
      const target = posix.resolve('/', posix.dirname(part), Target).slice(1);
      found.set(Id, { type: Type?.split('/').at(-1) ?? '', target });
    },
  });
  return found;
}
