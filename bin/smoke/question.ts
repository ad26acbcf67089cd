/** The form of the smoke test's questions: what AWS does in a case that its documentation leaves open. */
import type { WorkspaceId } from '../../lib/core/ids.ts';

/** The deployment that is asked, with a workspace of its own for the smoke test. */
export interface Deployed {
  /** URL of the API without a trailing slash, without `/api/v2`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly workspaceId: WorkspaceId;
  /** `<slug>.<provided domain>`. */
  readonly domain: string;
  /** Region of the provided domain. */
  readonly region: string;
  readonly configurationSet: string;
  /** The recipient outside of the deployment. */
  readonly to: string;
  /** Differs for each run; part of subjects and names. */
  readonly run: string;
  /** Longest wait for a mail or a status, real time. */
  readonly patienceMs: number;
}

export interface Question {
  readonly title: string;
  /** The answers that settle it, the first that fits. Any other answer settles nothing. */
  readonly settledBy: readonly Conclusion[];
  /** @returns the answer in the words of AWS @throws Error, which is taken as the answer */
  ask(deployed: Deployed): Promise<string>;
}

/** What follows from an answer. */
export interface Conclusion {
  /** `as assumed`, `differs`: from what the code relies on. `answered`: the code relies on nothing. */
  readonly verdict: 'as assumed' | 'differs' | 'answered' | 'not asked';
  /** Fits the words of this answer only: SES refuses calls for many reasons that are about something else. */
  readonly when: RegExp;
  readonly means: string;
}

const conclusionOf = (verdict: Conclusion['verdict']) => (when: RegExp, means: string) => ({
  verdict,
  when,
  means,
});

export const asAssumed = conclusionOf('as assumed');
export const differs = conclusionOf('differs');
export const answered = conclusionOf('answered');
export const notAsked = conclusionOf('not asked');

/** The conclusion from an answer; null: it settles nothing. */
export function conclude({ settledBy }: Pick<Question, 'settledBy'>, answer: string): Conclusion | null {
  return settledBy.find(({ when }) => when.test(answer)) ?? null;
}

/** An error of the SDK as AWS worded it, or that of a request which was not answered. */
export function words(error: unknown): string {
  const { name, message, cause, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  const reason = cause instanceof Error ? `: ${cause.message}` : '';
  return `${$metadata?.httpStatusCode ?? 'no status'} ${name}: ${message}${reason}`;
}
