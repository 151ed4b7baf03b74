import 'server-only'
import { createSluice } from '@sluice/sdk'

/** The client holds the API key, so it must never reach a browser. */
export const sluice = () =>
  createSluice({
    baseUrl: process.env.SLUICE_URL ?? 'http://127.0.0.1:8080/api',
    apiKey: setting('SLUICE_API_KEY'),
  })

/** Read at a request: a build has no settings. */
export function setting(name: string): string {
  const value = process.env[name] ?? ''
  if (value === '') throw new Error(`Set ${name}.`)
  return value
}
