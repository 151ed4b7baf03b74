import type { App } from '../app/app.ts'
import { announcePasskeys } from '../app/mail/announce-passkeys.ts'
import { sendMails } from '../app/mail/send-mails.ts'
import type { Log } from '../log.ts'
import type { Post } from '../outbound/mail/post.ts'
import type { AgendaLoop } from './agenda.ts'
import { type Loop, onAgendaMs, startLoop } from './loop.ts'

/** Sends mails that are due, and those about passkeys that the signer will trust. */
export function startMails(app: App, post: Post, agenda: AgendaLoop, log: Log): Loop {
  const loop = startLoop({
    everyMs: onAgendaMs,
    step: async (signal) => {
      await announcePasskeys(app)
      await sendMails(app, post, {
        signal,
        // Never log the recipient: an email address is personal data.
        onFailed: ({ id, kind }, error, isLast) =>
          log[isLast ? 'error' : 'warn'](
            { mail: id, kind, err: error },
            isLast ? 'could not send a mail; giving up' : 'could not send a mail; will retry',
          ),
      })
    },
    onError: (error) => log.warn({ err: error }, 'could not look for mails that are due'),
  })
  agenda.when('mails', loop.wake)
  return loop
}
