/**
 * The operations that the tools for agents call, for the role of their function and for finding an operation by its path. The
 * contracts themselves would load every schema.
 */
import type { Contract } from '../contract.ts';

export type CalledOperation = Pick<Contract, 'id' | 'method' | 'path'>;

export const calledOperations: readonly CalledOperation[] = [
  { id: 'threads.list', method: 'GET', path: '/api/v2/threads' },
  { id: 'threads.retrieve', method: 'GET', path: '/api/v2/threads/{thread_id}' },
  { id: 'threads.reply', method: 'POST', path: '/api/v2/threads/{thread_id}/reply' },
  { id: 'threads.forward', method: 'POST', path: '/api/v2/threads/{thread_id}/forward' },
  { id: 'threads.update', method: 'PATCH', path: '/api/v2/threads/{thread_id}' },
  { id: 'threads.claim', method: 'POST', path: '/api/v2/threads/{thread_id}/claim' },
  { id: 'threads.release', method: 'DELETE', path: '/api/v2/threads/{thread_id}/claim' },
  { id: 'emails.list', method: 'GET', path: '/api/v2/emails' },
  { id: 'emails.send', method: 'POST', path: '/api/v2/emails' },
  { id: 'emails.retrieve', method: 'GET', path: '/api/v2/emails/{email_id}' },
  { id: 'emails.update', method: 'PATCH', path: '/api/v2/emails/{email_id}' },
  { id: 'emails.approve', method: 'POST', path: '/api/v2/emails/{email_id}/approve' },
  { id: 'emails.cancel', method: 'POST', path: '/api/v2/emails/{email_id}/cancel' },
  { id: 'attachments.create', method: 'POST', path: '/api/v2/attachments' },
  { id: 'attachments.download', method: 'GET', path: '/api/v2/attachments/{attachment_id}' },
  { id: 'attachments.inspect', method: 'HEAD', path: '/api/v2/attachments/{attachment_id}' },
  { id: 'attachments.download-text', method: 'GET', path: '/api/v2/attachments/{attachment_id}/content' },
  { id: 'events.list', method: 'GET', path: '/api/v2/events' },
  { id: 'suppressions.list', method: 'GET', path: '/api/v2/suppressions' },
  { id: 'domains.list', method: 'GET', path: '/api/v2/domains' },
  { id: 'mailboxes.list', method: 'GET', path: '/api/v2/mailboxes' },
];

/** The operation of a request, with the decoded parameters of its path; null: there is none. */
export function calledOperation(
  method: string,
  path: string,
): { readonly operation: CalledOperation; readonly params: Record<string, string> } | null {
  for (const operation of calledOperations) {
    const params = operation.method === method ? paramsOf(operation.path, path) : null;
    if (params) return { operation, params };
  }
  return null;
}

function paramsOf(pattern: string, path: string): Record<string, string> | null {
  const [parts, segments] = [pattern.split('/'), path.split('/')];
  if (parts.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const segment = segments[at] ?? '';
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name !== undefined) params[name] = decodeURIComponent(segment);
    else if (part !== segment) return null;
  }
  return params;
}
