/** Routes that people open in a browser: their problems are pages for whoever asks for html, and problem bodies for others. */
import { Problem } from '../core/problems.ts';
import { describeError, logEvent } from '../observability/log.ts';
import { toProblem } from './middleware/problems.ts';
import { languageOf, type PageLanguage } from './pages/languages.ts';
import { noFacts, type PageFacts, type PageSubject, problemPage } from './pages/problem.ts';
import type { LambdaHandler, PublicUrls } from './request-context.ts';
import { type PublicRequest, type PublicResponse, servePublic } from './serve-public.ts';

export interface PageRequest extends PublicRequest {
  /** The best for the browser. */
  readonly language: PageLanguage;
}

interface PageRoute {
  readonly subject: PageSubject;
  /** A link of mail, which whoever opens it gets a page for, without a look at `Accept`. */
  readonly isLinkOfMail?: true;
  /** What the page of a problem may show; asked only then. */
  readonly facts?: (request: PageRequest) => Promise<PageFacts | null>;
  /** As for `servePublic`. */
  readonly urls?: () => PublicUrls;
}

/** As `servePublic`. */
export function servePage(
  id: string,
  route: PageRoute,
  handle: (request: PageRequest) => Promise<PublicResponse>,
): LambdaHandler {
  const answer = async (publicRequest: PublicRequest): Promise<PublicResponse> => {
    const request = toPageRequest(publicRequest);
    try {
      return await handle(request);
    } catch (error) {
      if (!route.isLinkOfMail && !isForPerson(request)) throw error;
      const problem = toProblem(id, request.requestId, error);
      const facts = (await factsOf(id, route, request)) ?? noFacts;
      return pageOf(id, problem, { ...request, subject: route.subject, facts });
    }
  };
  return servePublic(id, answer, route.urls);
}

export function toPageRequest(request: PublicRequest): PageRequest {
  return { ...request, language: languageOf(request.headers['accept-language']) };
}

/** Whether a browser asks. */
export function isForPerson({ headers }: PublicRequest): boolean {
  return headers.accept?.includes('text/html') === true;
}

/** What is told about a problem must not fail by another one. */
async function factsOf(id: string, { facts }: PageRoute, request: PageRequest): Promise<PageFacts | null> {
  if (!facts) return null;
  try {
    return await facts(request);
  } catch (error) {
    // A link that leads nowhere is the problem itself.
    if (error instanceof Problem && error.status < 500) return null;
    logEvent('api.internal_error', {
      operation: id,
      request_id: request.requestId,
      error: describeError(error),
    });
    return null;
  }
}

/** The page of a problem; its cause goes to the log. */
export function pageOf(
  id: string,
  { code, headers, message, status }: Problem,
  about: PageRequest & { readonly subject: PageSubject; readonly facts?: PageFacts },
): PublicResponse {
  const { facts = noFacts, language, requestId, subject } = about;
  if (status < 500) {
    logEvent('api.page_problem', { operation: id, request_id: requestId, code, reason: message });
  }
  const page = problemPage({ subject, code, status, language, requestId, facts });
  const retryAfter = headers['retry-after'] ?? headers['Retry-After'];
  return retryAfter === undefined
    ? page
    : { ...page, headers: { ...page.headers, 'retry-after': retryAfter } };
}
