/** Waits of a request for DynamoDB, in the thread of the test, whatever each call takes on this machine. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { client } from '../../lib/storage/table/table-client.ts';

const name = 'countWaits';

/** Turns of the event loop after which the thread makes no further call before it gets a response. */
const idleTurns = 50;

/** Calls that wait at the same time. */
class Wait {
  readonly actions: string[] = [];
  readonly #start = Promise.withResolvers<void>();
  readonly #end = Promise.withResolvers<void>();
  readonly #calls: Promise<unknown>[] = [];

  /** Makes a call of this wait. */
  async make<T>(action: string, call: () => Promise<T>): Promise<T> {
    this.actions.push(action);
    await this.#start.promise;
    const made = call();
    this.#calls.push(made);
    await Promise.allSettled([made, this.#end.promise]);
    return await made;
  }

  /** Lets all calls be made, and gives all responses at once. */
  async pass(): Promise<void> {
    this.#start.resolve();
    await nextTurn();
    await Promise.allSettled(this.#calls);
    this.#end.resolve();
  }
}

/**
 * Runs `flow` and returns the calls of each wait, by their actions, sorted. No call gets its response before the thread has made
 * every other call that it makes without that response: calls share a wait where neither needs the other.
 */
export async function waitsDuring(flow: () => Promise<unknown>): Promise<readonly (readonly string[])[]> {
  const waits: string[][] = [];
  let wait = new Wait();
  client().middlewareStack.add(
    (next, { commandName = '' }) =>
      (args) =>
        wait.make(commandName.replace(/Command$/, ''), () => next(args)),
    { step: 'initialize', name },
  );
  try {
    let isOver = false;
    const ended = flow().finally(() => {
      isOver = true;
    });
    while (!isOver) {
      const { length } = wait.actions;
      for (let turns = 0; turns < idleTurns && wait.actions.length === length && !isOver; turns++)
        await nextTurn();
      if (isOver || length === 0 || wait.actions.length > length) continue;
      const passing = wait;
      wait = new Wait();
      await passing.pass();
      waits.push(passing.actions.toSorted());
    }
    await ended;
  } finally {
    client().middlewareStack.remove(name);
  }
  return waits;
}
