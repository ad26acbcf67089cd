/** Routes that people open in a browser: their problems are pages for whoever asks for html, and problem bodies for others. */
import { Problem } from '../core/problems.ts';
import { connectProblemPage } from './pages/connect.ts';
import type { LambdaHandler } from './request-context.ts';
import { type PublicRequest, type PublicResponse, servePublic } from './serve-public.ts';

/** As `servePublic`. */
export function servePage(
  id: string,
  handle: (request: PublicRequest) => Promise<PublicResponse>,
): LambdaHandler {
  return servePublic(id, async (request) => {
    try {
      return await handle(request);
    } catch (error) {
      const isShown = error instanceof Problem && error.status < 500;
      if (isShown && request.headers.accept?.includes('text/html')) return connectProblemPage(error);
      throw error;
    }
  });
}
