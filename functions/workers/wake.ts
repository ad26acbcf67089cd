/** Passes messages on once they are due. */
import type { Waiting } from '../../lib/domain/messages.ts';
import { consume } from '../../lib/services/consume.ts';
import { dispatch } from '../../lib/services/timers.ts';

/** A schedule fires early by design, and a message may come early: `dispatch` lets it wait on until it is due. */
export const handler = consume(async (body, { messageId }) => {
  await dispatch(JSON.parse(body) as Waiting, messageId);
});
