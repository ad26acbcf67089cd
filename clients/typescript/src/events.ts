/** The event log, and its events as they happen. */
import { type EventOf, type LiveOptions, liveEvents } from './live/live.ts';
import { EventsOperations } from './resources/events.ts';
import type { EventType } from './types.ts';

export class Events extends EventsOperations {
  /**
   * Events as they happen, each once, in the order of the log; one that enters the log late comes when it does. Over a WebSocket, which
   * is opened again when it ends; where there is none, by reading the log (`onState` says which). Begins with the first `next`, and ends
   * with its signal, or when the iteration does.
   *
   * @throws ParleyError that time does not mend: UnauthorizedError when the key is refused
   */
  live<Type extends EventType = EventType>(
    options: LiveOptions<Type> = {},
  ): AsyncGenerator<EventOf<Type>, void, undefined> {
    return liveEvents(this.api, options);
  }
}
