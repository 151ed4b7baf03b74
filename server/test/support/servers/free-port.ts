import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below the range from which the system assigns ports (32768 and up), and separate for each process that runs tests: between
// finding a port free and using it, nothing else takes it.
const lowest = 20_000
const ofEach = 1_000
const first = lowest + ofEach * (Number(process.env.VITEST_POOL_ID ?? 0) % 12)
let next = randomInt(ofEach)

/** A port of the loopback interface for a program that must be told one. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < ofEach; tries++) {
    const port = first + (next++ % ofEach)
    if (await isFree(port)) return port
  }
  throw new Error(`None of the ports from ${first} on is free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}
