/** `GET /problems/{code}`: the page of a problem code. */
import { Problem } from '../../lib/core/problems.ts';
import { problemPage } from '../../lib/http/pages/problem.ts';
import { servePublic } from '../../lib/http/serve-public.ts';

export const handler = servePublic('problem-page', ({ params }) => {
  const page = problemPage(params.code ?? '');
  if (!page) throw new Problem('not_found', 'The problem code does not exist.');
  return page;
});
