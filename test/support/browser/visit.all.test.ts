/** What a visit notices, on pages that do what pages must not. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { visit } from './visit.ts';

const policy = "default-src 'none'; script-src 'self'";
const pages: Readonly<Record<string, { html: string; status?: number; policy?: string }>> = {
  '/calm': { html: '<label>Name <input type="checkbox"></label><button>Go</button><a href="/next">Next</a>' },
  '/next': { html: '<button>Go</button>' },
  '/missing': { html: 'Nothing.', status: 404 },
  '/foreign': { html: '<img src="http://tracker.test/pixel.gif" alt="">' },
  '/blocked': { html: '<img src="http://tracker.test/pixel.gif" alt="">', policy },
  '/inline': { html: '<script>document.title = "ran"</script>', policy },
  '/throws': { html: '<script>throw new Error("broken")</script>' },
  '/asks': { html: '<script>alert("hello")</script>' },
};

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    const page = pages[request.url ?? ''];
    const headers = {
      'content-type': 'text/html',
      ...(page?.policy && { 'content-security-policy': page.policy }),
    };
    response.writeHead(page?.status ?? 200, page ? headers : {});
    response.end(
      page && `<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1>${page.html}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const complaintsAt = (path: string) =>
  visit({ origin, expected: [/./] }, async ({ open, complaints }) => {
    await open(path);
    return complaints();
  });

describe('a visit', () => {
  it.each(['/calm', '/missing'])('has no complaint of %s', async (path) => {
    expect(await complaintsAt(path)).toEqual([]);
  });

  it.each([
    ['/foreign', 'foreign request: GET http://tracker.test/pixel.gif'],
    ['/blocked', 'violates the following Content Security Policy directive: "default-src \'none\'"'],
    ['/inline', 'Executing inline script violates'],
    ['/throws', 'uncaught: broken'],
    ['/asks', 'dialog: hello'],
  ])('complains of %s', async (path, complaint) => {
    expect((await complaintsAt(path)).join('\n')).toContain(complaint);
    await expect(visit({ origin }, ({ open }) => open(path))).rejects.toThrow();
  });

  it('does not call foreign what the policy of the page stopped', async () => {
    expect((await complaintsAt('/blocked')).join('\n')).not.toContain('foreign request');
  });

  it('counts presses across pages: one for a label and its field, none for a key', async () => {
    await visit({ origin }, async ({ clicks, open, page }) => {
      await open('/calm');
      await page.getByLabel('Name').check();
      await page.getByText('Name').click();
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Next' }).click();
      await page.getByRole('button', { name: 'Go' }).click();
      expect(clicks()).toBe(4);
    });
  });

  it('has cookies of its own', async () => {
    const cookies = [{ name: 'session', value: 'one' }];
    const cookieOf = (options: object) =>
      visit({ origin, ...options }, async ({ open, page }) => {
        await open('/calm');
        return await page.evaluate('document.cookie');
      });
    expect(await cookieOf({ cookies })).toBe('session=one');
    expect(await cookieOf({})).toBe('');
  });
});
