import { isIP } from 'node:net'
import { connect } from 'node:tls'
import { type Finding, judgeCertificate, ok, problem, warning } from '../../app/operator/judge-health.ts'
import { createPost } from '../../outbound/mail/post.ts'
import { hasLiveGate } from '../../settings/gate-config.ts'
import type { Settings } from '../../settings/settings.ts'
import { shownText } from '../../shown-error.ts'

const timeoutMs = 10_000

/** Checks what the world sees of this service: its public address and its certificate. */
export async function checkPublicUrl({ publicUrl, config }: Settings): Promise<Finding[]> {
  const isLive = hasLiveGate(config.gates)
  if (publicUrl === null) {
    const says = 'SLUICE_PUBLIC_URL is not set: links in mails and payment pages lead to this machine only.'
    const todo = 'Set it to the https address of your proxy.'
    return [isLive ? problem('public_url', says, todo) : warning('public_url', says, todo)]
  }
  const { protocol, hostname, port } = new URL(publicUrl)
  const findings: Finding[] = []
  if (protocol === 'https:') findings.push(await checkCertificate(hostname, port === '' ? 443 : Number(port)))
  else if (isLive)
    findings.push(
      problem(
        'tls',
        'SLUICE_PUBLIC_URL is not https: keys and passwords travel in the open.',
        'Put a proxy with TLS in front.',
      ),
    )
  try {
    const answer = await fetch(`${publicUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    const text = await answer.text()
    findings.push(
      answer.status === 200 && text.includes('"ok"')
        ? ok('public_url', `${publicUrl} leads to a running Sluice.`)
        : problem(
            'public_url',
            `${publicUrl}/healthz answers ${answer.status}, and not as Sluice does.`,
            'Let the proxy pass all paths on to Sluice, and start it.',
          ),
    )
  } catch (error) {
    findings.push(
      problem(
        'public_url',
        `${publicUrl} cannot be reached from here (${reason(error)}).`,
        'Check DNS, the proxy and the firewall. If only this machine cannot reach it, ask from another one.',
      ),
    )
  }
  return findings
}

function checkCertificate(host: string, port: number): Promise<Finding> {
  return new Promise((resolve) => {
    const name = host.replaceAll(/[[\]]/g, '')
    // An invalid certificate is read as well, to say what is wrong with it.
    const socket = connect({
      host: name,
      port,
      ...(isIP(name) === 0 && { servername: name }),
      rejectUnauthorized: false,
      timeout: timeoutMs,
    })
    const end = (finding: Finding) => {
      socket.destroy()
      resolve(finding)
    }
    const noTls = (why: string) =>
      end(problem('tls', `${host}, port ${port}, does not speak TLS (${why}).`, 'Check the proxy.'))
    socket.once('timeout', () => noTls('no answer'))
    socket.once('error', (error) => noTls(reason(error)))
    socket.once('secureConnect', () => {
      const { valid_to } = socket.getPeerCertificate()
      if (socket.authorized) return end(judgeCertificate(host, new Date(valid_to), new Date()))
      end(
        problem(
          'tls',
          `The certificate of ${host} is not trusted (${String(socket.authorizationError)}).`,
          'Install one from a public authority, with its whole chain.',
        ),
      )
    })
  })
}

/** Logs in to the mail server. No mail is sent. */
export async function checkMail({ smtpUrl }: Settings): Promise<Finding> {
  if (smtpUrl === null)
    return warning(
      'mail',
      'No mail is sent: invitations and resets must be carried by hand, and no one is warned of changes.',
      'Set SMTP_URL.',
    )
  const { host } = new URL(smtpUrl)
  const post = createPost(smtpUrl, 'sluice@localhost')
  try {
    await post.verify()
    return ok('mail', `The mail server at ${host} accepts us.`)
  } catch (error) {
    return problem(
      'mail',
      `The mail server at ${host} does not accept us (${reason(error)}).`,
      'Check SMTP_URL: host, port, user, password, and smtps: or smtp:.',
    )
  } finally {
    post.close()
  }
}

/** Asks the shared Redis, where there is one. */
export async function checkRedis({ redisUrl }: Settings): Promise<Finding | null> {
  if (redisUrl === null) return null
  const { Redis } = await import('ioredis')
  const url = redisUrl.startsWith('unix://') ? redisUrl.slice('unix://'.length) : redisUrl
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  })
  redis.on('error', () => {})
  try {
    await redis.connect()
    await redis.ping()
    return ok('redis', 'Redis answers: rate limits are shared.')
  } catch (error) {
    return problem(
      'redis',
      `Redis does not answer (${reason(error)}): each process counts its rate limits alone.`,
      'Check that it runs, and REDIS_URL.',
    )
  } finally {
    redis.disconnect()
  }
}

function reason(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const { code, message } = cause as { code?: unknown; message?: unknown }
  return shownText(String(code ?? message ?? cause))
}
