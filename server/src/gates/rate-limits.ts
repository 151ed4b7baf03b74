/** What besides the usual words says that a rate limit was reached: a family's codes and words. */
export type RateLimitSigns = { readonly codes: readonly number[]; readonly words?: RegExp }

const usualWords =
  /too many requests|rate.?limit|request limit|requests? per (second|minute|day)|throughput|slow down/i
// Providers use the same codes and words for answers that would be too long, which waiting does not help.
const tooLongWords = /more than \d+ (results|logs)|block range|response size/i

/** Whether an error of a node or provider means that a rate limit was reached. */
export function isRateLimit({ codes, words }: RateLimitSigns, code: number, message: string): boolean {
  if (tooLongWords.test(message)) return false
  return codes.includes(code) || usualWords.test(message) || (words?.test(message) ?? false)
}
