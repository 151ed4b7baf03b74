/** Builds what is not up to date: the pages and the server bundle, which `npm start` needs, and the client. */
import { buildSdk } from './build-sdk.ts'
import { buildServer } from './build-server.ts'
import { buildPages } from './build-web.ts'

// The service does without the client, and operators without the compiler for it.
const [pages, program] = await Promise.all([buildPages(), buildServer(), buildSdk()])
if (!pages || !program)
  console.warn(
    'Not everything was built, because the tools for it are not installed. Run `npm ci`, or copy web/checkout/dist, web/dashboard/dist, web/guides/dist and server/dist from where they were built.',
  )
