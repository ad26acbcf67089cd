/** Whether a host leads to the API over HTTPS, before links in mail have it. */

const timeoutMs = 10_000;

/** null where `https://<domain>/health` answers as the API does, else what is wrong. */
export async function linkDomainProblem(
  domain: string,
  request: typeof fetch = fetch,
): Promise<string | null> {
  const url = `https://${domain}/health`;
  try {
    const response = await request(url, { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    const body = response.ok ? await response.text() : '';
    return body === '{"status":"ok"}' ? null : `${url} answers ${response.status}, but not as the API.`;
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    return `${url} does not answer: ${cause instanceof Error ? cause.message : message}.`;
  }
}
