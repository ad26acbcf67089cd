/** Errors of the API as results of tools: code, detail, what to do, request id. */
import type { CallToolResult } from '@modelcontextprotocol/server';
import { ParleyError } from '../../typescript/src/index.ts';

/** What a model can do about an error, by its code. */
const advice: Readonly<Record<string, string>> = {
  unauthorized:
    'Ask the person to check PARLEY_API_KEY and PARLEY_BASE_URL: the key is unknown, expired or revoked.',
  forbidden: 'The API key may not do this. Ask the person for a key with a wider scope, or leave it.',
  not_found: 'Check the id: take it from another tool’s result, unchanged.',
  thread_not_found: 'Check the id: take it from find_threads, unchanged.',
  invalid_thread_id: 'Check the id: take it from find_threads, unchanged.',
  invalid_cursor:
    'Start again without the cursor; a cursor belongs to the same tool with the same arguments.',
  sender_unknown: 'Choose an address that list_senders shows.',
  domain_unverified:
    'Choose another sender with list_senders; the person has to set the DNS records of this domain.',
  mailbox_inactive: 'Choose another sender with list_senders; the person has to connect this mailbox again.',
  no_recipients: 'Name the recipients in `to`.',
  thread_claimed:
    'Take another thread. Before you answer this one, claim it again and read it: it may be answered.',
  not_prepared:
    'The text of a file is there some seconds after the email. If it stays away, it cannot be read.',
  not_scheduled: 'The email is no longer scheduled: look at it with check_delivery.',
  not_draft: 'It is no draft any more: look at it with check_delivery.',
  draft_changed: 'Somebody has edited the draft: read it again with read_email, then use its version.',
  idempotency_key_reused: 'Call again with another value of `repeat`.',
  too_many_requests: 'Wait, then call again.',
  sending_limit: 'Do not try again now: the workspace has sent as much as it may. Tell the person.',
  workspace_suspended: 'Do not try again: sending is suspended. Tell the person.',
  connection_error:
    'The service cannot be reached. A send can be repeated unchanged: it will not be sent twice.',
  timeout: 'A send can be repeated unchanged: it will not be sent twice.',
  internal_error: 'Try again once. If it fails again, tell the person the request id.',
};

/** A failed call that the model can understand. */
export function errorResult(code: string, detail: string, more: readonly string[] = []): CallToolResult {
  const hint = advice[code];
  const lines = [`${code}: ${detail}`, ...more, ...(hint === undefined ? [] : [hint])];
  return { isError: true, content: [{ type: 'text', text: lines.join('\n') }] };
}

/** null: no error of the library. */
export function errorResultOf(error: unknown): CallToolResult | null {
  if (!(error instanceof ParleyError)) return null;
  const { code, detail, issues, requestId, retryAfter, status } = error;
  const { isError, content } = errorResult(code, detail, [
    ...issues.slice(0, 10).map(({ path, message }) => `- ${path}: ${message}`),
    ...(retryAfter === null ? [] : [`Wait ${retryAfter} s before the next call.`]),
    ...(requestId === null ? [] : [`Request id: ${requestId}`]),
  ]);
  return {
    isError,
    content,
    structuredContent: {
      code,
      detail,
      status,
      issues: [...issues],
      request_id: requestId,
      retry_after: retryAfter,
    },
  };
}
