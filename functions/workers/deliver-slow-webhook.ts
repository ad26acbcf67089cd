/** Makes the webhook attempts that are due at slow endpoints. */
export { handler } from './deliver-webhook.ts';
