/** Posts a body as JSON, with an API key, over a real connection. */
export function postJson(
  url: string,
  apiKey: string,
  body: unknown,
  more: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    ...more,
  };
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body), signal });
}
