import type { App } from '../app/app.ts'
import { sendMails } from '../app/mail/send-mails.ts'
import type { Log } from '../log.ts'
import type { Post } from '../outbound/mail/post.ts'
import { type Loop, startLoop } from './loop.ts'

const lookEveryMs = 1_000

/** Sends mails that people are to get. */
export function startMails(app: App, post: Post, log: Log): Loop {
  return startLoop({
    everyMs: lookEveryMs,
    step: async (signal) => {
      await sendMails(app, post, {
        signal,
        // Never to whom: an address in a log is somebody's.
        onFailed: ({ id, kind }, error, isLast) =>
          log[isLast ? 'error' : 'warn'](
            { mail: id, kind, err: error },
            isLast
              ? 'a mail could not be sent and is given up'
              : 'a mail could not be sent; it is tried again',
          ),
      })
    },
    onError: (error) => log.warn({ err: error }, 'mails that are due could not be found'),
  })
}
