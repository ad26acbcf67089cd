/** What every problem code means and what a client can do about it; see docs/concepts/errors.md. */
import type { ProblemCode } from '../core/problems.ts';

export interface ProblemDescription {
  readonly cause: string;
  readonly action: string;
}

export const problemDescriptions: Readonly<Record<ProblemCode, ProblemDescription>> = {
  unauthorized: {
    cause: 'The API key is missing, malformed or deleted; or the session of the console has ended.',
    action: 'Send "Authorization: Bearer <API_KEY>" with a valid key, or sign in again.',
  },
  forbidden: {
    cause:
      'The scope of the API key, or the role of the member, is too narrow for the operation; or a request with a session does not come from the console.',
    action: 'Use a key of the scope that the detail names, or what else the detail says.',
  },
  shared_apps_disabled: {
    cause: 'The workspace requires its own OAuth app to connect a mailbox.',
    action: 'Send app_id.',
  },
  unsupported_media_type: {
    cause: 'The body is not application/json in UTF-8.',
    action: 'Set "Content-Type: application/json".',
  },
  invalid_json: {
    cause:
      'The body is not JSON, not UTF-8, nested too deeply, has an unpaired surrogate, or repeats a key of an object.',
    action: 'Correct the body.',
  },
  invalid_request: {
    cause: 'The body failed validation.',
    action: 'Correct the fields that issues names.',
  },
  invalid_query: {
    cause: 'A query parameter is unknown, repeated or invalid.',
    action: 'Correct the parameters that issues names.',
  },
  invalid_cursor: {
    cause: 'The cursor was not issued for this list and these filters.',
    action: 'Start the list again without a cursor.',
  },
  invalid_thread_id: {
    cause: 'The thread id is not "thr_" and 32 hexadecimal characters.',
    action: 'Pass the id as the API returned it.',
  },
  invalid_idempotency_key: {
    cause: 'The Idempotency-Key is empty or longer than 255 characters.',
    action: 'Send a key of 1 to 255 characters.',
  },
  method_not_allowed: {
    cause: 'The path does not support the method.',
    action: 'Use a method that the header Allow names.',
  },
  no_body: { cause: 'The operation requires a body.', action: 'Send a JSON body.' },
  no_recipients: {
    cause:
      'The email has no recipient: all are suppressed, or a reply without `to` has no default recipients.',
    action:
      'Check the suppressions, which `detail` names with their lists, or name the recipients of the reply in `to`.',
  },
  sender_unknown: {
    cause: 'The sender is on no domain and no mailbox of the workspace.',
    action: 'Add the domain of the sender, or send from another address.',
  },
  too_many_recipients: {
    cause: 'A field has more than 100 addresses.',
    action: 'Send several emails.',
  },
  attachments_too_large: {
    cause: 'The attachments of the email have more than 25 MB.',
    action: 'Send fewer or smaller files.',
  },
  not_found: {
    cause: 'The path or the resource does not exist in the workspace, or the id is of another type.',
    action: 'Check the id.',
  },
  thread_not_found: {
    cause: 'The thread does not exist in the workspace.',
    action: 'Check the id.',
  },
  thread_empty: {
    cause: 'The thread has only scheduled or canceled messages.',
    action: 'Wait until a message is sent or received, or name the recipients of the reply.',
  },
  thread_claimed: {
    cause: 'Another owner has the claim on the thread, or the claim of `claim_owner` has ended.',
    action: 'Take another thread, or claim this one after `expires_at` and read it again before you answer.',
  },
  not_prepared: {
    cause: 'The attachment has no extracted text.',
    action: 'Download the original file. The detail has the reason.',
  },
  not_draft: {
    cause: 'The email is no draft any more, or never was one.',
    action: 'Read the email: its status says what became of it.',
  },
  draft_changed: {
    cause: 'The draft was edited after the version that the request names.',
    action: 'Read the draft again, and approve or edit the version that it has now.',
  },
  email_in_progress: {
    cause: 'The email, or one of the thread, is queued, scheduled or being sent.',
    action: 'Cancel it if it is scheduled, or delete it once it has left.',
  },
  not_scheduled: {
    cause: 'The email is no longer scheduled.',
    action: 'Read the email: it was sent or canceled.',
  },
  idempotency_key_reused: {
    cause: 'The Idempotency-Key was used with another body.',
    action: 'Use a new key for a new email.',
  },
  domain_unverified: {
    cause: 'The DKIM record of the domain was not found in DNS.',
    action: 'Publish the record, then verify the domain.',
  },
  domain_taken: {
    cause: 'The workspace has the domain already.',
    action: 'Use the existing domain.',
  },
  reserved_subdomain: {
    cause: 'The name is the return path of a wildcard domain.',
    action: 'Use another name.',
  },
  reserved_domain: {
    cause: 'The name is under the suffix of the provided domains.',
    action: 'Use another name.',
  },
  domain_provided: {
    cause: 'The provided domain of a workspace cannot be deleted.',
    action: 'Keep the domain.',
  },
  member_exists: { cause: 'The address is that of a member already.', action: 'Change the member.' },
  last_owner: {
    cause: 'The member is the last owner of the workspace.',
    action: 'Make another member an owner first.',
  },
  slug_taken: { cause: 'Another OAuth app has the slug.', action: 'Use another slug.' },
  external_id_taken: {
    cause: 'Another Space has the external_id.',
    action: 'Use another external_id, or the existing Space.',
  },
  limit_reached: {
    cause:
      'The workspace has as many of these resources as it may have, or an email has more recipients than the workspace may send to; the detail names the limit.',
    action: 'Delete one that is not needed, or send several emails.',
  },
  workspace_suspended: {
    cause:
      'The sending of the workspace is suspended, by the operator or because of too many bounces or complaints.',
    action: 'Ask the operator to resume it. Mail that was accepted before waits.',
  },
  mailbox_inactive: {
    cause: 'The mailbox is not active.',
    action: 'Connect the mailbox again.',
  },
  mailbox_space_conflict: {
    cause: 'The mailbox is connected in another Space.',
    action: 'Connect it in its Space, or without space_id.',
  },
  mailbox_account_conflict: {
    cause: 'Another account of a mail provider is connected with this address.',
    action: 'Disconnect the mailbox, then connect it with the other account.',
  },
  invalid_domain: {
    cause: 'The name is not a domain that can be registered.',
    action: 'Correct the name.',
  },
  unknown_region: {
    cause: 'The deployment does not use the Region.',
    action: 'Use a Region that the detail names.',
  },
  invalid_state: {
    cause: 'The state of the OAuth callback is invalid.',
    action: 'Start the connection again.',
  },
  expired_state: {
    cause: 'The connection URL has expired or was used before.',
    action: 'Start the connection again.',
  },
  invalid_tenant: {
    cause: 'The account belongs to another tenant than the OAuth app.',
    action: 'Authorize with an account of the tenant.',
  },
  invalid_return_url: {
    cause: 'A return URL is not an absolute https URL (http on localhost), or has credentials or a fragment.',
    action: 'Correct return_to or return_urls.',
  },
  return_url_not_registered: {
    cause: 'The return URL is not registered with the OAuth app.',
    action: 'Add it to return_urls of the app.',
  },
  too_many_requests: {
    cause:
      'The request budget of the workspace is spent, or more requests come at once than are stored in a second.',
    action: 'Retry after the time in Retry-After.',
  },
  rate_limited: {
    cause: 'The mail provider limits the rate of sending.',
    action: 'Wait: the email stays queued and is sent later.',
  },
  sending_limit: {
    cause: 'The workspace has sent to as many recipients as it may in an hour or a day.',
    action: 'Retry after the time in Retry-After, or ask the operator for a higher limit.',
  },
  send_failed: {
    cause: 'The mail provider refused the email.',
    action: 'Read the detail. The email is failed; correct it and send it again.',
  },
  provider_error: {
    cause: 'The mail provider did not respond.',
    action: 'Wait for the webhook event, or read the email later.',
  },
  internal_error: {
    cause: 'The service failed.',
    action: 'Retry with increasing waits; report the request_id when it persists.',
  },
};
