import 'server-only'
import { createSluice } from '@sluice/sdk'

/** The client holds the API key, so it must never reach a browser. */
export const sluice = () =>
  createSluice({
    baseUrl: process.env.SLUICE_URL ?? 'http://127.0.0.1:8080/api',
    apiKey: process.env.SLUICE_API_KEY,
  })
