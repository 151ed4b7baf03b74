import { type ChildProcess, spawn } from 'node:child_process'
import autocannon from 'autocannon'
import { interleave, type Ratio } from './measure.ts'

export type Target = {
  readonly name: string
  readonly url: string
  readonly headers?: Record<string, string>
}

const connections = 64
const warmUpSeconds = 2
const measureSeconds = 4

/** Answers per second from one target. Anything but a 200 is a broken benchmark, not a slow one. */
async function requestsPerSecond(target: Target): Promise<number> {
  const options = { url: target.url, headers: target.headers ?? {}, connections }
  await autocannon({ ...options, duration: warmUpSeconds })
  const result = await autocannon({ ...options, duration: measureSeconds })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`)
  }
  return result['2xx'] / result.duration
}

export function compare(ours: Target, baseline: Target, rounds: number): Promise<Ratio> {
  return interleave(
    rounds,
    () => requestsPerSecond(baseline),
    () => requestsPerSecond(ours),
  )
}

/** Starts a server program that prints one line of JSON when it is ready. */
export async function startServer<Ready>(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ ready: Ready; pid: number; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await firstLine(child)
  return {
    ready: JSON.parse(line) as Ready,
    pid: child.pid as number,
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
}
