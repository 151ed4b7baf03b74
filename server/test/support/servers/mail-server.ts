import { createServer, type Socket } from 'node:net'

export type ReceivedMail = { readonly to: string; readonly subject: string; readonly text: string }

export type MailServer = {
  /** For `SMTP_URL`. */
  readonly url: string
  readonly mails: ReceivedMail[]
  /** If set, the answer to each recipient, instead of accepting the mail. */
  refusal: string | null
  /** Resolves with the first mail to this address that `pleases` accepts, as soon as there is one. */
  mail(to: string, pleases?: (mail: ReceivedMail) => boolean): Promise<ReceivedMail>
  stop(): Promise<void>
}

/** A mail server that speaks as much SMTP as a sender needs, and keeps the mails. */
export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    converse(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const self: MailServer = {
    url: `smtp://127.0.0.1:${port}?from=sluice@example.com`,
    mails,
    refusal: null,
    mail: (to, pleases = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const found = mails.find((mail) => mail.to === to && pleases(mail))
          if (found === undefined) return
          waiting.delete(look)
          resolve(found)
        }
        waiting.add(look)
        look()
      }),
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return self

  function converse(socket: Socket): void {
    let text = ''
    let to = ''
    let inData = false
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 test')
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8')
      for (let end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n'); end !== -1; ) {
        const part = text.slice(0, end)
        text = text.slice(end + (inData ? 5 : 2))
        if (inData) {
          inData = false
          keep(to, part)
          say('250 kept')
        } else if (/^RCPT TO:/i.test(part)) {
          to = /<([^>]*)>/.exec(part)?.[1] ?? ''
          say(self.refusal ?? '250 yes')
        } else if (/^DATA/i.test(part)) {
          inData = true
          say('354 go on')
        } else say(/^QUIT/i.test(part) ? '221 bye' : '250 yes')
        end = text.indexOf(inData ? '\r\n.\r\n' : '\r\n')
      }
    })
  }

  function keep(to: string, message: string): void {
    const [head = '', ...body] = message.split('\r\n\r\n')
    const header = (name: string) =>
      new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(head)?.[1]?.replaceAll(/\r\n\s/g, ' ') ?? ''
    const encoded = body.join('\r\n\r\n')
    const encoding = header('Content-Transfer-Encoding')
    mails.push({ to, subject: header('Subject'), text: decode(encoded, encoding) })
    for (const look of [...waiting]) look()
  }
}

function decode(text: string, encoding: string): string {
  if (/base64/i.test(encoding)) return Buffer.from(text, 'base64').toString('utf8')
  if (!/quoted-printable/i.test(encoding)) return text
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
