import { createTransport } from 'nodemailer'
import { isLoopbackHost } from '../../domain/ip-address.ts'

export type Email = { readonly to: string; readonly subject: string; readonly text: string }

/** Hands mail over to a mail server. */
export type Post = {
  send(email: Email): Promise<void>
  /** Connects and logs in, and sends nothing. */
  verify(): Promise<void>
  close(): void
}

/** The mail server has rejected this mail for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

const connectMs = 10_000
const answerMs = 20_000

/**
 * Speaks SMTP (RFC 5321) to the server that `url` names. `smtps:` uses TLS from the start. `smtp:` uses STARTTLS (RFC
 * 3207); without it, nothing is sent to another machine, because mails carry links that open accounts.
 */
export function createPost(url: string, from: string): Post {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const transport = createTransport({
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    secure,
    requireTLS: !secure && !isLoopbackHost(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: answerMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async send({ to, subject, text }) {
      try {
        // An object, so that a comma in an address does not make two recipients of it.
        await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
      } catch (error) {
        const code = (error as { responseCode?: unknown }).responseCode
        if (typeof code === 'number' && code >= 500)
          throw new MailRefused(error instanceof Error ? error.message : String(error))
        throw error
      }
    },
    async verify() {
      await transport.verify()
    },
    close: () => transport.close(),
  }
}
