/** The public surface of the library; `api.md` beside it shows all of it. */

export { Parley } from './client.ts';
export {
  AbortedError,
  ConnectionError,
  GatewayError,
  InvalidArgumentError,
  ParleyError,
  ProblemError,
  TimeoutError,
  UnexpectedResponseError,
  type WebhookRefusal,
  WebhookVerificationError,
} from './errors.ts';
export type { AttachmentInput, FileAttachment, FileContent, PathAttachment } from './files.ts';
export type { EventOf, LiveOptions, LiveState } from './live/live.ts';
export type {
  Attempt,
  Fetch,
  ParleyOptions,
  RequestOptions,
  SendOptions,
  WebSocketClass,
  WebSocketLike,
} from './options.ts';
export { Page, PagePromise } from './pages.ts';
export * from './problems.ts';
export type { Runtime } from './runtime.ts';
export type * from './types.ts';
export {
  type Secrets,
  type UnknownEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookBody,
  type WebhookEvent,
  type WebhookHeaders,
} from './webhooks.ts';
