/** The design tokens for pages without a build step are those of the style sheet; `npx vitest run test/site/tokens -u` writes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const source = readFileSync(join(root, 'lib/site/tokens.css'), 'utf8');

/** By name; in the order of the schemes: light, dark. */
function colorsOf(scheme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const [light = '', dark = ''] = source.split('@media');
  const pairs = (text: string) => [...text.matchAll(/--([\w-]+): (#[0-9a-f]{6})/g)];
  return new Map(
    [...pairs(light), ...(scheme === 'dark' ? pairs(dark) : [])].map(([, name = '', color = '']) => [
      name,
      color,
    ]),
  );
}

/** WCAG 2.2, "contrast ratio". */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(color: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe('the design tokens', () => {
  it('are the same in the style sheet and in the module of the hosted pages', async () => {
    const css = transformSync(source, { loader: 'css', minify: true }).code.trim();
    await expect(
      `/** The design tokens of lib/site/tokens.css, minified; test/site/tokens.test.ts writes this file. */\nexport const tokens =\n  '${css}';\n`,
    ).toMatchFileSnapshot(join(root, 'lib/http/pages/tokens.ts'));
  });

  it.each(['light', 'dark'] as const)('are readable in the %s scheme', (scheme) => {
    const colors = colorsOf(scheme);
    const pairs = (texts: readonly string[], grounds: readonly string[], least: number) =>
      texts.flatMap((text) =>
        grounds
          .filter((ground) => contrast(colors.get(text) ?? '', colors.get(ground) ?? '') < least)
          .map((ground) => `${text} on ${ground}`),
      );
    const grounds = ['page', 'raised', 'sunken'];
    expect(pairs(['ink', 'soft', 'accent', 'good', 'warn', 'bad'], grounds, 4.5)).toEqual([]);
    for (const name of ['accent', 'good', 'warn', 'bad']) {
      expect(pairs([name, 'ink', 'soft'], [`${name}-soft`], 4.5)).toEqual([]);
    }
    expect(pairs(['on-accent'], ['accent'], 4.5)).toEqual([]);
    expect(pairs(['field-line'], grounds, 3)).toEqual([]);
  });
});
