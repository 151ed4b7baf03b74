import { setTimeout as sleep } from 'node:timers/promises'
import { request } from 'undici'
import { BackupError } from './error.ts'
import { authorization, canonicalQuery, encode, type S3Credentials } from './sigv4.ts'
import { maxObjectBytes, sha256, type Target } from './target.ts'

/** An S3-compatible store. The bucket is a part of the path, which every such store understands. */
export type S3Place = {
  /** Such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string
  readonly bucket: string
  /** Before every name; empty or with a slash at its end. */
  readonly prefix: string
  readonly credentials: S3Credentials
}

const timeoutMs = 120_000
const maxTries = 5
const firstDelayMs = 500
const maxListBytes = 8 * 1024 * 1024
/** With a thousand names on each. */
const maxPages = 10_000

type Answer = { readonly status: number; readonly body: Buffer }

/** Backups in an S3-compatible store. A failed request is repeated a few times; a refusal is not. */
export function s3Target(place: S3Place, now: () => Date): Target {
  const shown = `s3://${place.bucket}/${place.prefix}`

  async function once(method: string, key: string, query: Record<string, string>, body: Buffer | null) {
    const { host } = new URL(place.endpoint)
    const path = `/${[place.bucket, ...key.split('/')].map(encode).join('/')}`
    const at = now()
      .toISOString()
      .replace(/[-:]|\.\d+/g, '')
    const bodySha256 = sha256(body ?? Buffer.alloc(0))
    const headers = { host, 'x-amz-content-sha256': bodySha256, 'x-amz-date': at }
    const signed = { method, path, query, headers, bodySha256 }
    const search = Object.keys(query).length === 0 ? '' : `?${canonicalQuery(query)}`
    const response = await request(`${place.endpoint}${path}${search}`, {
      method: method as 'GET',
      headers: { ...headers, authorization: authorization(place.credentials, 's3', signed, at) },
      body,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    })
    const limit = key === '' ? maxListBytes : maxObjectBytes
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of response.body) {
      length += chunk.length
      if (length > limit) throw new BackupError(`${shown}: an answer has more than ${limit} bytes.`)
      chunks.push(chunk)
    }
    return { status: response.statusCode, body: Buffer.concat(chunks) }
  }

  async function ask(
    what: string,
    method: string,
    key: string,
    query: Record<string, string>,
    body: Buffer | null,
  ): Promise<Answer> {
    for (let tries = 1; ; tries++) {
      let problem: string
      let cause: unknown
      try {
        const answer = await once(method, key, query, body)
        if (answer.status < 300 || (method === 'DELETE' && answer.status === 404)) return answer
        problem = `${answer.status} ${inElement(answer.body.toString('utf8'), 'Code') ?? ''}`.trim()
        if (answer.status < 500 && answer.status !== 429 && answer.status !== 408) tries = maxTries
      } catch (error) {
        if (error instanceof BackupError) throw error
        cause = error
        problem = String((error as { code?: unknown }).code ?? error)
      }
      if (tries >= maxTries) throw new BackupError(`${shown}: cannot ${what} (${problem}).`, { cause })
      await sleep(firstDelayMs * 2 ** (tries - 1))
    }
  }

  return {
    shown,
    async list(prefix) {
      const names: string[] = []
      let token: string | null = null
      for (let page = 1; page <= maxPages; page++) {
        const query = { 'list-type': '2', prefix: `${place.prefix}${prefix}` }
        const asked: Record<string, string> =
          token === null ? query : { ...query, 'continuation-token': token }
        const text = (await ask('list its objects', 'GET', '', asked, null)).body.toString('utf8')
        for (const [, key = ''] of text.matchAll(/<Key>([^<]*)<\/Key>/g))
          names.push(unescaped(key).slice(place.prefix.length))
        token = inElement(text, 'NextContinuationToken')
        if (token === null) return names.sort()
      }
      throw new BackupError(`${shown} has too many objects. Use a prefix of its own for each backup.`)
    },
    async read(name) {
      return (await ask(`read ${name}`, 'GET', `${place.prefix}${name}`, {}, null)).body
    },
    async write(name, bytes) {
      await ask(`write ${name}`, 'PUT', `${place.prefix}${name}`, {}, bytes)
    },
    async remove(name) {
      await ask(`remove ${name}`, 'DELETE', `${place.prefix}${name}`, {}, null)
    },
    // Such a store has no folders, and of an object that was cut off it keeps nothing.
    sweep: async () => [],
  }
}

function inElement(xml: string, name: string): string | null {
  const found = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return found === undefined || found === '' ? null : unescaped(found)
}

function unescaped(text: string): string {
  const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
  return text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => characters[name] ?? '')
}
