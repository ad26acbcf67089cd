/** What is told of the start of a local cloud while it runs, and what ends it early. */

export interface StartWatch {
  /** Called when a stage begins, with its name: `Deploying the stacks`. */
  readonly onStage?: ((stage: string) => void) | undefined;
  /** Called with one sentence that the user should know; default: prints it. */
  readonly onNotice?: ((text: string) => void) | undefined;
  /** Ends the start at its next step: what has started is closed, and the reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** A start that fails for a reason that the user can remove: the message is a sentence that says how. */
export class CannotStart extends Error {}
