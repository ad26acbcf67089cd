/** What the TypeScript library adds to a program that is bundled. */
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

const library = join(import.meta.dirname, '../../clients/typescript/src/index.ts');

/** Bytes after gzip of a program, bundled for browsers: an import of a module of Node fails. */
async function gzipBytesOf(program: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: program.replace('parley-client', library), resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
}

describe('a bundle', () => {
  it('that sends, replies and verifies has at most 15 KB', async () => {
    const program = `import { Parley } from 'parley-client';
      const parley = new Parley();
      export const send = (mail) => parley.emails.send(mail);
      export const reply = (id, mail) => parley.threads.reply(id, mail);
      export const verify = (request, secret) => parley.webhooks.verify(request, secret);`;
    expect(await gzipBytesOf(program)).toBeLessThan(15 * 1024);
  });

  it('that only verifies has at most 4 KB', async () => {
    const program = `export { verifyWebhook } from 'parley-client';`;
    expect(await gzipBytesOf(program)).toBeLessThan(4 * 1024);
  });
});
