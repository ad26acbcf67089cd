/** What no page may do: ask a foreign host, write an error to the console, throw, crash, open a dialog. */
import type { ConsoleMessage, Context, Request } from './playwright.ts';

/**
 * Collects what must not happen on any page of the context.
 *
 * @param isExpected errors in the console that the caller provokes
 * @returns grows; the caller may empty it
 */
export function watch(
  context: Context,
  origins: readonly string[],
  isExpected: (message: ConsoleMessage) => boolean = () => false,
): Set<string> {
  const complaints = new Set<string>();
  const isForeign = (url: string) => /^(?:https?|wss?):/.test(url) && !origins.includes(httpOrigin(url));
  const foreign = (request: Request) => `foreign request: ${request.method()} ${request.url()}`;
  context.on('request', (request) => {
    if (isForeign(request.url())) complaints.add(foreign(request));
  });
  // The policy of the page stopped it; the console says so, too.
  context.on('requestfailed', (request) => {
    if (request.failure()?.errorText === 'csp') complaints.delete(foreign(request));
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !isStatusOfPage(message, context) && !isExpected(message)) {
      complaints.add(`console: ${message.text()}`);
    }
  });
  context.on('weberror', (error) => complaints.add(`uncaught: ${error.error().message}`));
  context.on('page', (page) => {
    page.on('websocket', (socket) => {
      if (isForeign(socket.url())) complaints.add(`foreign socket: ${socket.url()}`);
    });
    page.on('crash', () => complaints.add('the page crashed'));
    page.on('dialog', (dialog) => {
      complaints.add(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  return complaints;
}

const httpOrigin = (url: string) => new URL(url.replace(/^ws/, 'http')).origin;

/** Chromium reports a page that is itself a 404 as an error. */
function isStatusOfPage(message: ConsoleMessage, context: Context): boolean {
  const isStatus = message.text().startsWith('Failed to load resource: the server responded with a status');
  return isStatus && context.pages().some((page) => withoutHash(page.url()) === message.location().url);
}

const withoutHash = (url: string) => url.replace(/#.*/, '');
