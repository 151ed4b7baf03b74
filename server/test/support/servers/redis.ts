import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@redis/client'
import { patienceMs } from '../patience.ts'
import { freePort } from './free-port.ts'

/** A real Redis of a test's own, empty, which writes nothing to disk. */
export type TestRedis = {
  readonly url: string
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>
  /** Ends it for good and removes its folder. Safe to call in any state. */
  stop(): Promise<void>
  /** Ends it as a crash would. */
  kill(): Promise<void>
  /** Makes it hang (SIGSTOP): connections stay open, nothing answers. */
  pause(): void
  resume(): void
  /** Sends one command over a connection of its own. */
  command(...args: string[]): Promise<unknown>
}

const POLL_MS = 10

/** Starts Redis on a free port of the loopback interface and waits until it answers. */
export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-redis-'))
  const port = await freePort()
  let child: ChildProcess | undefined

  async function launch(): Promise<boolean> {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'no',
    ]
    child = spawn('redis-server', settings, { stdio: 'ignore' })
    const launched = child
    await once(launched, 'spawn')
    const deadline = performance.now() + patienceMs
    while (launched.exitCode === null && performance.now() < deadline) {
      if (await answers(port)) return launched.exitCode === null
      await sleep(POLL_MS)
    }
    return false
  }

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL') // ends a stopped process too
    await once(child, 'exit')
  }

  // A test run that ends early must not leave it running.
  const onExit = () => child?.kill('SIGKILL')
  process.once('exit', onExit)

  if (!(await launch())) {
    await kill()
    throw new Error('redis-server did not start')
  }

  const url = `redis://127.0.0.1:${port}`
  return {
    url,
    kill,
    async start() {
      if (!(await launch())) throw new Error('redis-server did not start again')
    },
    async stop() {
      await kill()
      process.off('exit', onExit)
      await rm(folder, { recursive: true, force: true })
    },
    pause() {
      child?.kill('SIGSTOP')
    },
    resume() {
      child?.kill('SIGCONT')
    },
    async command(...args) {
      const client = await createClient({ url }).connect()
      try {
        return await client.sendCommand(args)
      } finally {
        client.destroy()
      }
    },
  }
}

async function answers(port: number): Promise<boolean> {
  const socket = createConnection(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    socket.write('PING\r\n')
    const [reply] = await once(socket, 'data')
    return String(reply).startsWith('+PONG')
  } catch {
    return false // not listening yet
  } finally {
    socket.destroy()
  }
}
