/**
 * The types of web standards that appear in this package's own types. They come from what describes the globals of a
 * project: the DOM library, `@types/node`, Deno or Bun. A project with none of these still type-checks.
 */
type Instance<Name extends string, Otherwise> = typeof globalThis extends {
  [Key in Name]: { prototype: infer Found }
}
  ? Found
  : Otherwise

export type AbortSignal = Instance<'AbortSignal', { readonly aborted: boolean; readonly reason: unknown }>

/** What a custom `fetch` is called with. */
export type FetchInit = typeof globalThis extends {
  Request: new (input: string, init?: infer Init) => unknown
}
  ? NonNullable<Init>
  : {
      readonly method?: string
      readonly headers?: unknown
      readonly body?: unknown
      readonly signal?: unknown
    }

/** The part of a `Response` that is read, so that the response of any `fetch` fits. */
export type FetchResponse = {
  readonly ok: boolean
  readonly status: number
  readonly type: string
  readonly headers: { get(name: string): string | null }
  text(): Promise<string>
}
