import type { Environment } from './environment.ts'

/** Payers of real money are sent over encrypted connections only: any network on the way could replace a plain page. */
const protocols: Readonly<Record<Environment, readonly string[]>> = {
  live: ['https:'],
  test: ['http:', 'https:'],
}

/** The merchant's URL as a payer may be sent to it; null if they may not. */
export function safeRedirect(url: string | null, environment: Environment): string | null {
  if (url === null || !URL.canParse(url)) return null
  const { protocol, href } = new URL(url)
  return protocols[environment].includes(protocol) ? href : null
}

/** What is wrong with the URL for new business, in words; null when nothing is. */
export function redirectProblem(url: string | null, environment: Environment): string | null {
  const [only, ...others] = protocols[environment]
  if (url === null || others.length > 0 || url.startsWith(`${only}//`)) return null
  return `must start with ${only}// in the ${environment} environment`
}
