/** Builds what `npm start` needs and is not up to date: the pages and the server bundle, concurrently. */
import { buildServer } from './build-server.ts'
import { buildPages } from './build-web.ts'

const [pages, program] = await Promise.all([buildPages(), buildServer()])
if (!pages || !program)
  console.warn(
    'Not everything was built, because the tools for it are not installed. Run `npm ci`, or copy web/checkout/dist, web/dashboard/dist and server/dist from where they were built.',
  )
