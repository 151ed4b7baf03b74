/** Where the nodes of a gate are, as the operator writes it: one, or several of the same chain. */
export type RpcUrlEntry = { readonly rpc_url?: string; readonly rpc_urls?: readonly string[] }

/** As many nodes a gate has at most. */
export const maxNodes = 10

const url = { type: 'string', maxLength: 2048 }

/** The JSON Schema of the two fields. */
export const rpcUrlProperties = {
  rpc_url: url,
  rpc_urls: { type: 'array', minItems: 1, maxItems: maxNodes, uniqueItems: true, items: url },
} as const

export function urlsOf({ rpc_url, rpc_urls }: RpcUrlEntry): readonly string[] {
  return rpc_urls ?? (rpc_url === undefined ? [] : [rpc_url])
}

/** The problems of a gate's nodes, each as `"/<place> <what is wrong>"`. Never shows a password. `port` is an example. */
export function* urlProblems(entry: RpcUrlEntry & { agreement?: number }, port: number): Iterable<string> {
  const { agreement = 1, rpc_url, rpc_urls } = entry
  const urls = urlsOf(entry)
  if (agreement > urls.length)
    yield `/agreement must not be above the number of nodes, which is ${urls.length}`
  if (rpc_url !== undefined && rpc_urls !== undefined)
    yield '/rpc_urls cannot be combined with rpc_url: use one of them'
  if (rpc_url === undefined && rpc_urls === undefined)
    yield "must have required property 'rpc_url', or 'rpc_urls' for several nodes"
  for (const [at, given] of urls.entries()) {
    const parsed = URL.canParse(given) ? new URL(given) : null
    const place = rpc_urls === undefined ? '/rpc_url' : `/rpc_urls/${at}`
    if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
      yield `${place} must be like http://127.0.0.1:${port} or https://node.example/key`
  }
}
