/** The changelog and the versions of a release, as texts. */

/** @throws Error where the version is not above the last one, or nothing has changed */
export function releasedChangelog(changelog: string, version: string, date: string): string {
  const heading = '## [Unreleased]\n';
  const at = changelog.indexOf(heading);
  if (at < 0) throw new Error('CHANGELOG.md has no section [Unreleased].');
  const rest = changelog.slice(at + heading.length);
  const [last] = /^## \[(\d+\.\d+\.\d+)\]/m.exec(rest)?.slice(1) ?? [];
  const notes = notesIn(rest);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is no version, such as 0.3.0.`);
  if (last && last.localeCompare(version, 'en', { numeric: true }) >= 0) {
    throw new Error(`${version} is not above ${last}, the last release.`);
  }
  if (notes === '') throw new Error('Nothing has changed since the last release.');
  if (!notes.includes(operatorHeading)) throw new Error(`The notes have no section "${operatorHeading}".`);
  return `${changelog.slice(0, at)}${heading}\n## [${version}] - ${date}\n${rest}`;
}

/** What every release says. */
export const operatorHeading = '### What an operator must do';

/** The notes before the next release. */
function notesIn(text: string): string {
  const next = text.search(/^## \[/m);
  return (next < 0 ? text : text.slice(0, next)).trim();
}

/** Files that have the version of the release, each with what is written before and after it. */
export const versionedFiles: Readonly<Record<string, readonly [before: string, after: string]>> = {
  'package.json': ['"version": "', '"'],
  'console/package.json': ['"version": "', '"'],
  'clients/cli/package.json': ['"version": "', '"'],
  'clients/mcp/package.json': ['"version": "', '"'],
  'clients/typescript/package.json': ['"version": "', '"'],
  'clients/cli/src/version.ts': ["version = '", "'"],
  'clients/mcp/src/version.ts': ["version = '", "'"],
  'clients/typescript/src/version.ts': ["version = '", "'"],
};

/** @throws Error where the file has not the version `from` */
export function withVersion(file: string, text: string, from: string, to: string): string {
  const [before, after] = versionedFiles[file] ?? ['', ''];
  const old = `${before}${from}${after}`;
  if (!text.includes(old)) throw new Error(`${file} has not the version ${from}.`);
  // The console names the library that it is built with.
  return text
    .replace(old, `${before}${to}${after}`)
    .replace(`"parley-client": "${from}"`, `"parley-client": "${to}"`);
}
