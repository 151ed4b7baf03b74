import { browserInWords } from '../../domain/browsers.ts'
import { plainMail } from '../../store/people/mails.ts'
import type { Store } from '../../store/store.ts'
import type { App } from '../app.ts'
import type { Browser, Origin } from './arrival.ts'
import { askMail } from './ask-mail.ts'
import { hashOfToken, makeToken } from './tokens.ts'

/** The most tokens in a device's cookie: people who share a browser have one each. */
export const maxDeviceTokens = 5
/** The most mails about new devices that a person gets within a day. */
export const maxDeviceMails = 10

export type Met = {
  readonly hash: Buffer
  readonly isNew: boolean
  /** What the device's cookie is to hold from now on. */
  readonly tokens: readonly string[]
}

/**
 * Recognises the device that a person signs in from, or remembers it and tells the person. A new device always gets a token
 * of our own: one that another party has put into the cookie never becomes known.
 */
export async function meetDevice(
  app: Pick<App, 'now' | 'random' | 'people'>,
  tx: Store,
  userId: string,
  from: Browser,
): Promise<Met> {
  const known = await tx.devices.recognise(userId, from.devices.map(hashOfToken))
  if (known !== null) return { hash: known, isNew: false, tokens: from.devices }
  const token = makeToken(app)
  const hash = hashOfToken(token)
  const newToday = await tx.devices.insert(userId, hash)
  if (newToday <= maxDeviceMails) await announce(app, tx, userId, from)
  return { hash, isNew: true, tokens: [token, ...from.devices].slice(0, maxDeviceTokens) }
}

async function announce(
  app: Pick<App, 'now' | 'people'>,
  tx: Store,
  userId: string,
  { ip, userAgent }: Origin,
): Promise<void> {
  const user = await tx.users.find(userId)
  if (user === null) return
  // The user agent's own words stay out of the mail: anyone can put anything there.
  const device = { at: app.now().toISOString(), browser: browserInWords(userAgent), ip }
  await askMail(app, tx, { ...plainMail, kind: 'new_device', recipient: user.email, device })
}
