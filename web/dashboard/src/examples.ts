import { type MirroredId, mirroredFrom, mirroredUnder } from '@sluice/web/operations'
import { type BodyOf, type Operation, requestTo } from '@sluice/web/ui/operation.ts'

/** A curl command for a request to this service, with a placeholder for the key. */
export function curlFor<Id extends MirroredId>(
  environment: string | null,
  operation: Operation<Id>,
  ...[body]: BodyOf<Id>
): string {
  return curlWith(`sk_${environment ?? 'test'}_…`, operation, ...([body] as BodyOf<Id>))
}

/** The same with a known key. */
export function curlWith<Id extends MirroredId>(
  key: string,
  operation: Operation<Id>,
  ...[body]: BodyOf<Id>
): string {
  const { method, url } = requestTo(operation.replace(mirroredUnder, mirroredFrom) as typeof operation)
  const lines = [
    `curl ${location.origin}${url}`,
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    `-H 'X-API-Key: ${key}'`,
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}
