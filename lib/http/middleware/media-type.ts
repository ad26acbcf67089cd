/** Refuses request bodies that are not JSON (docs/concepts/errors.md). */
import { Problem } from '../../core/problems.ts';
import type { Middleware } from '../request-context.ts';

/** JSON is UTF-8 (RFC 8259, section 8.1); another charset parameter is refused. */
const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

export function mediaType(): Middleware {
  return {
    before({ event: context }) {
      // API Gateway may add a Content-Type to a request without a body.
      if (!context.event.body) return;
      if (json.test(context.headers['content-type'] ?? '')) return;
      throw new Problem('unsupported_media_type', 'Send the body with "Content-Type: application/json".');
    },
  };
}
