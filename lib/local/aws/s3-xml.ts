/** S3's XML: encodes results and errors. */

import type { DeleteMarker, ObjectHead } from './s3-store.ts';
import { AwsError, type AwsResponse } from './service.ts';

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://s3.amazonaws.com/doc/2006-03-01/"';

/** Elements with text content; undefined: omitted. */
type Elements = Readonly<Record<string, string | number | boolean | undefined>>;

export function xmlResponse(root: string, content: string, status = 200): AwsResponse {
  return {
    status,
    headers: { 'content-type': 'application/xml' },
    body: `${declaration}<${root} ${namespace}>${content}</${root}>`,
  };
}

export function elements(values: Elements): string {
  return Object.entries(values)
    .map(([name, value]) => (value === undefined ? '' : `<${name}>${escapeXml(String(value))}</${name}>`))
    .join('');
}

/** @param details further elements of an error */
export function xmlError(error: AwsError, resource: string, details: Elements = {}): AwsResponse {
  const content = elements({ Code: error.code, Message: error.message, ...details, Resource: resource });
  return {
    status: error.status,
    headers: { 'content-type': 'application/xml' },
    body: `${declaration}<Error>${content}</Error>`,
  };
}

export function listEntry(head: ObjectHead): string {
  const entry = elements({
    Key: head.key,
    LastModified: new Date(head.modifiedAt).toISOString(),
    ETag: head.etag,
    Size: head.bytes,
    StorageClass: 'STANDARD',
  });
  return `<Contents>${entry}</Contents>`;
}

const tagSet = /^\s*(?:<\?xml[^>]*\?>)?\s*<Tagging[^>]*>\s*<TagSet>(.*)<\/TagSet>\s*<\/Tagging>\s*$/s;
const tag = /\s*<Tag>\s*<Key>([^<]{1,128})<\/Key>\s*<Value>([^<]{0,256})<\/Value>\s*<\/Tag>\s*/g;
/** Tags of an object at most ("Categorizing your objects using tags", Amazon S3 User Guide). */
const tagsMax = 10;

/** The tags in the body of a PutObjectTagging. @throws AwsError */
export function tagsIn(xml: string): Record<string, string> {
  const [, set] = tagSet.exec(xml) ?? [];
  const tags = [...(set ?? '').matchAll(tag)].map(([, key = '', value = '']) => [key, value] as const);
  if (set === undefined || set.replace(tag, '') !== '') {
    throw new AwsError('MalformedXML', 'The XML you provided was not well-formed.');
  }
  if (tags.length > tagsMax) throw new AwsError('BadRequest', 'Object tags cannot be greater than 10');
  return Object.fromEntries(tags);
}

export function markerEntry({ key, versionId, deletedAt }: DeleteMarker): string {
  const entry = elements({
    Key: key,
    VersionId: versionId,
    IsLatest: true,
    LastModified: new Date(deletedAt).toISOString(),
  });
  return `<DeleteMarker>${entry}</DeleteMarker>`;
}

/** Escapes line ends too: XML parsers normalise them. */
function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#xD;')
    .replaceAll('\n', '&#xA;');
}
