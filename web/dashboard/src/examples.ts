/** A request as one types it into a terminal, with a place for the key, against this very service. */
export function curlFor(
  environment: string | null,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): string {
  const lines = [
    `curl ${location.origin}/api${path}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H 'X-API-Key: sk_${environment ?? 'test'}_…'`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}
