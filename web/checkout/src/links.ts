/** A link that leads away from this page, or null for anything but an ordinary web URL. */
export function webLink(url: string | null): string | null {
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}

/** A link that opens a wallet, or null for a scheme that would run or show something in this page instead. */
export function walletLink(uri: string | null): string | null {
  if (uri === null || !/^[a-z][a-z0-9+.-]*:/i.test(uri)) return null
  return /^(javascript|data|vbscript|blob|file|https?):/i.test(uri) ? null : uri
}
