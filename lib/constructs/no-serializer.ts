/**
 * Replaces `dom-serializer` in the bundle. html-to-text imports it for formatters that we do not select; with its tables
 * of entities it would add 80 KB to every function that reads html.
 */

/** @throws Error always: no formatter in use writes html */
export function render(): never {
  throw new Error('dom-serializer is not part of the bundle');
}

// biome-ignore lint/style/noDefaultExport: the package has one, too
export default render;
