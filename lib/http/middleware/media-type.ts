/** Lets only JSON bodies in (interface, general rule 1). */
import { Problem } from '../../core/problems.ts';
import type { Middleware } from '../request-context.ts';

/** RFC 8259 knows UTF-8 only; a body that says it is anything else would be read wrongly. */
const json = /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

export function mediaType(): Middleware {
  return {
    before({ event: context }) {
      // Where there is no body, the gateway may add a type of its own: only the length tells.
      if (!context.event.body) return;
      if (json.test(context.headers['content-type'] ?? '')) return;
      throw new Problem('unsupported_media_type', 'Send the body with "Content-Type: application/json".');
    },
  };
}
