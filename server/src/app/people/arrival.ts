/** The most characters kept of a browser's user agent. */
export const maxUserAgent = 500

/** Where a request came from. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** The origin with the tokens of its device's cookie. */
export type Browser = Origin & { readonly devices: readonly string[] }

/** The same with the request's host header and the token of its session's cookie. */
export type Arrival = Browser & { readonly host: string; readonly token: string | null }
