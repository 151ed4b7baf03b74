import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { s3Target } from '../../src/backup/s3-target.ts'
import { authorization } from '../../src/backup/sigv4.ts'
import { readSummed, type Target, writeSummed } from '../../src/backup/target.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const empty = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

// Amazon S3 API reference, "Authenticating requests: using the authorization header", its examples.
it.each([
  {
    method: 'GET',
    path: '/test.txt',
    query: {},
    headers: { range: 'bytes=0-9' },
    bodySha256: empty,
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    method: 'PUT',
    path: '/test%24file.text',
    query: {},
    headers: { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
    bodySha256: '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    method: 'GET',
    path: '/',
    query: { lifecycle: '' },
    headers: {},
    bodySha256: empty,
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    method: 'GET',
    path: '/',
    query: { 'max-keys': '2', prefix: 'J' },
    headers: {},
    bodySha256: empty,
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
])('signs as Amazon’s example does: $method $path', ({ signature, headers, ...request }) => {
  const at = '20130524T000000Z'
  const all = {
    ...headers,
    host: 'examplebucket.s3.amazonaws.com',
    'x-amz-content-sha256': request.bodySha256,
  }
  const credentials = { keyId: 'AKIAIOSFODNN7EXAMPLE', secret, region: 'us-east-1' }
  expect(authorization(credentials, 's3', { ...request, headers: { ...all, 'x-amz-date': at } }, at)).toMatch(
    new RegExp(`, Signature=${signature}$`),
  )
})

const objects = new Map<string, Buffer>()
const pageSize = 3
let failures: number
let server: Server
let target: Target

beforeEach(async () => {
  objects.clear()
  failures = 0
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks)
    const url = new URL(request.url ?? '', 'http://store')
    if (!isSigned(request, body))
      return response.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>')
    if (failures > 0 && failures--) return response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>')
    const key = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '')
    if (request.method === 'PUT') objects.set(key, body)
    if (request.method === 'DELETE') objects.delete(key)
    if (request.method !== 'GET') return response.end()
    if (key !== '') {
      const found = objects.get(key)
      return found === undefined
        ? response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>')
        : response.end(found)
    }
    const names = [...objects.keys()]
      .filter((name) => name.startsWith(url.searchParams.get('prefix') ?? ''))
      .sort()
    const from = Number(url.searchParams.get('continuation-token')?.slice(1) ?? 0)
    const more =
      from + pageSize < names.length
        ? `<NextContinuationToken>&amp;${from + pageSize}</NextContinuationToken>`
        : ''
    const list = names.slice(from, from + pageSize).map((name) => `<Contents><Key>${name}</Key></Contents>`)
    return response.end(`<ListBucketResult>${list.join('')}${more}</ListBucketResult>`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  target = targetWith(secret)
})
afterEach(async () => {
  server.close()
  server.closeAllConnections()
})

function targetWith(given: string): Target {
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const credentials = { keyId: 'id', secret: given, region: 'eu-1' }
  return s3Target({ endpoint, bucket: 'bucket', prefix: 'shop one/', credentials }, () => new Date())
}

/** Verifies a signature from what arrived, by its own reading of the specification. */
function isSigned({ method, url = '', headers }: IncomingMessage, body: Buffer): boolean {
  const found =
    /^AWS4-HMAC-SHA256 Credential=id\/(\d{8})\/eu-1\/s3\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/.exec(
      headers.authorization ?? '',
    )
  if (found === null) return false
  const [, day = '', names = '', signature = ''] = found
  const at = String(headers['x-amz-date'])
  const age = Date.now() - Date.parse(at.replace(/^(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))
  const sum = createHash('sha256').update(body).digest('hex')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => names.split(';').includes(name)))
    return false
  if (headers['x-amz-content-sha256'] !== sum || !at.startsWith(day) || Math.abs(age) > 900_000) return false
  const [path = '', search = ''] = url.split('?')
  const query = search.split('&').sort().join('&')
  const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`)
  const canonical = `${method}\n${path}\n${query}\n${lines.join('')}\n${names}\n${sum}`
  const digest = createHash('sha256').update(canonical).digest('hex')
  const toSign = `AWS4-HMAC-SHA256\n${at}\n${day}/eu-1/s3/aws4_request\n${digest}`
  const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
  const key = sign(sign(sign(sign(`AWS4${secret}`, day), 'eu-1'), 's3'), 'aws4_request')
  return timingSafeEqual(sign(key, toSign), Buffer.from(signature, 'hex'))
}

it('objects are written, listed over several pages, read and removed in a store that verifies every signature', async () => {
  const names: string[] = []
  for (let nth = 0; nth < 7; nth++)
    names.push(await writeSummed(target, `base/a (${nth})/slice`, '.zst.age', Buffer.from(`content ${nth}`)))
  await target.write('other', Buffer.alloc(0))
  expect([...objects.keys()]).toContain(`shop one/${names[0]}`)
  expect(await target.list('base/')).toEqual(names)
  expect((await readSummed(target, names[3] ?? '')).toString()).toBe('content 3')
  await target.remove(names[3] ?? '')
  expect(await target.list('base/a (3)')).toEqual([])
  objects.set(`shop one/${names[0]}`, Buffer.from('content X'))
  await expect(readSummed(target, names[0] ?? '')).rejects.toThrow(
    `${names[0]} in s3://bucket/shop one/ is damaged`,
  )
})

it('an outage is waited out, and a refusal is told at once without the secret', async () => {
  failures = 1
  await target.write('other', Buffer.from('x'))
  expect(failures).toBe(0)
  const refused = targetWith('wrong').write('other', Buffer.from('y'))
  await expect(refused).rejects.toThrow('cannot write other (403 SignatureDoesNotMatch)')
  await expect(target.read('missing')).rejects.toThrow('cannot read missing (404 NoSuchKey)')
})
