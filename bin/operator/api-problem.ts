/** Whether a host leads to the API, before links in mail have it. */

const timeoutMs = 10_000;

/**
 * null where `<base URL>/health` answers as the API does, else what is wrong.
 *
 * @param baseUrl with or without a slash at its end
 */
export async function apiProblem(baseUrl: string, request: typeof fetch = fetch): Promise<string | null> {
  const url = `${baseUrl.replace(/\/+$/, '')}/health`;
  try {
    const response = await request(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const body = response.ok ? await response.text() : '';
    return body === '{"status":"ok"}' ? null : `${url} answers ${response.status}, but not as the API.`;
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    return `${url} does not answer: ${cause instanceof Error ? cause.message : message}.`;
  }
}
