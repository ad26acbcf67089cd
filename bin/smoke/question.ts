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

export interface Answer {
  /**
   * `as assumed`, `differs`: from what the code relies on. `answered`: the code relies on nothing. `not asked`: with the
   * reason.
   */
  readonly verdict: 'as assumed' | 'differs' | 'answered' | 'not asked';
  /** What AWS answered, in its words. */
  readonly answer: string;
}

export interface Question {
  readonly title: string;
  /** @throws where AWS cannot be asked; that counts as `differs` */
  ask(deployed: Deployed): Promise<Answer>;
}

export const asAssumed = (isSo: boolean, answer: string): Answer => ({
  verdict: isSo ? 'as assumed' : 'differs',
  answer,
});
export const answered = (answer: string): Answer => ({ verdict: 'answered', answer });
export const notAsked = (answer: string): Answer => ({ verdict: 'not asked', answer });

/** An error of the SDK as AWS worded it. */
export function words(error: unknown): string {
  const { name, message, $metadata } = error as Error & { $metadata?: { httpStatusCode?: number } };
  return `${$metadata?.httpStatusCode ?? 'no status'} ${name}: ${message}`;
}
