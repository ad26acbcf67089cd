import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  operatorHeading,
  releasedChangelog,
  versionedFiles,
  withVersion,
} from '../../scripts/release/changelog.ts';

const notes = `### Added\n\n- A thing.\n\n${operatorHeading}\n\n- Nothing.\n`;
const changelog = (unreleased: string) =>
  `# Changelog\n\n## [Unreleased]\n\n${unreleased}\n## [0.9.0] - 2026-01-01\n\nOld.\n`;

describe('releasedChangelog', () => {
  it('gives what is unreleased a version and a date, and begins a new section', () => {
    expect(releasedChangelog(changelog(notes), '0.10.0', '2026-02-01')).toBe(
      `# Changelog\n\n## [Unreleased]\n\n## [0.10.0] - 2026-02-01\n\n${notes}\n## [0.9.0] - 2026-01-01\n\nOld.\n`,
    );
  });

  it.each([
    ['0.9.0', notes, 'not above 0.9.0'],
    ['0.8.9', notes, 'not above 0.9.0'],
    ['v1', notes, 'is no version'],
    ['1.0.0-beta', notes, 'is no version'],
    ['0.10.0', '', 'Nothing has changed'],
    ['0.10.0', '### Added\n\n- A thing.\n', operatorHeading],
  ])('refuses %s', (version, unreleased, message) => {
    expect(() => releasedChangelog(changelog(unreleased), version, '2026-02-01')).toThrow(message);
  });
});

it('every package has the version of the last release, and gets the next one', () => {
  const root = join(import.meta.dirname, '../..');
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const file of Object.keys(versionedFiles)) {
    const text = readFileSync(join(root, file), 'utf8');
    const next = withVersion(file, text, version, '99.0.0');
    expect(next).not.toContain(`'${version}'`);
    expect(next).toContain('99.0.0');
    expect(next.length).toBeGreaterThan(text.length - 10);
  }
  expect(() => withVersion('package.json', '{}', version, '99.0.0')).toThrow(
    'package.json has not the version',
  );
});
