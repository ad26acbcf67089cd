/** Relationships between the parts of an Office document (ECMA-376 part 2, "Relationships"). */
import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { walkXml } from './xml.ts';

export interface Relationship {
  /** Last segment of the type, such as `worksheet`. */
  readonly type: string;
  /** Name of the part in the archive. */
  readonly target: string;
}

/** The internal relationships of a part, by relationship id. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Map<string, Relationship>> {
  const found = new Map<string, Relationship>();
  const rels = await archive.read(posix.join(posix.dirname(part), `_rels/${posix.basename(part)}.rels`));
  if (!rels) return found;
  walkXml(rels, {
    open({ name, attributes: { Id, Type, Target, TargetMode } }) {
      if (name !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
      // Relative to the part's folder or absolute; `..` cannot leave the archive.
      const target = posix.resolve('/', posix.dirname(part), Target).slice(1);
      found.set(Id, { type: Type?.split('/').at(-1) ?? '', target });
    },
  });
  return found;
}
