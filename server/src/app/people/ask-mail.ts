import { uuidv7 } from '../../domain/ids.ts'
import type { Notice } from '../../domain/notices.ts'
import { type Mail, plainMail } from '../../store/people/mails.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'

type Wanted = Mail extends infer Each ? (Each extends Mail ? Omit<Each, 'id'> : never) : never

/** Queues a mail, in the transaction that makes it necessary. Does nothing if the service sends no mail. */
export async function askMail(app: Pick<App, 'now' | 'people'>, tx: Store, wanted: Wanted): Promise<void> {
  if (!app.people.sendsMail) return
  const id = uuidv7(app.now())
  await tx.mails.insert({ ...wanted, id })
  await tx.jobs.ask('send_mail', [id], null)
}

/** Queues a notice that tells a person what happened to their account. */
export async function tell(
  app: Pick<App, 'now' | 'people'>,
  tx: Store,
  recipient: string,
  notice: Notice,
): Promise<void> {
  await askMail(app, tx, { ...plainMail, kind: 'notice', recipient, notice })
}
