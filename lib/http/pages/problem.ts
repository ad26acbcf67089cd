/** The page of a problem code, which `type` of problem bodies links to. */

import { isProblemCode, problemStatus } from '../../core/problems.ts';
import { escapeHtml } from '../../mail/html/escape-html.ts';
import { problemDescriptions } from '../problem-descriptions.ts';
import type { PublicResponse } from '../serve-public.ts';
import { htmlPage } from './page.ts';

/** @returns null for an unknown code */
export function problemPage(code: string): PublicResponse | null {
  if (!isProblemCode(code)) return null;
  const { cause, action } = problemDescriptions[code];
  return htmlPage(200, {
    title: code,
    body:
      `<p>${escapeHtml(cause)}</p>` +
      `<dl><dt>Status</dt><dd>${problemStatus[code]}</dd><dt>What to do</dt><dd>${escapeHtml(action)}</dd></dl>`,
  });
}
