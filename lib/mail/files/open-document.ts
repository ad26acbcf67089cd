/** The package of OpenDocument files (ISO/IEC 26300): content and styles. */
import { type Archive, openArchive } from './archive.ts';
import { passwordWarning, Unreadable } from './reader.ts';
import { walkXml } from './xml.ts';

export interface OpenDocument {
  /** All the parts, such as embedded objects. */
  readonly archive: Archive;
  /** XML of the text or the sheets. */
  readonly content: Buffer;
  /** XML of the named styles; null if there are none. */
  readonly styles: Buffer | null;
}

/** @throws Unreadable if the file is password-protected or has no content */
export async function readOpenDocument(bytes: Uint8Array): Promise<OpenDocument> {
  const archive = await openArchive(bytes);
  const manifest = await archive.read('META-INF/manifest.xml');
  if (manifest && isEncrypted(manifest)) throw new Unreadable(passwordWarning);
  const content = await archive.read('content.xml');
  if (!content) throw new Unreadable('The file is no document: its content is missing.');
  return { archive, content, styles: await archive.read('styles.xml') };
}

function isEncrypted(manifest: Buffer): boolean {
  let found = false;
  walkXml(manifest, {
    open({ name }) {
      found ||= name === 'encryption-data';
    },
  });
  return found;
}
