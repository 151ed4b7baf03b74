import { type ChildProcess, spawn } from 'node:child_process'
import autocannon from 'autocannon'

export type Target = {
  readonly name: string
  readonly url: string
  readonly headers?: Record<string, string>
}

const connections = 64
const warmUpSeconds = 2
const measureSeconds = 4

/** Answers a second that one target gives. Anything but a 200 is a broken benchmark, not a slow one. */
async function requestsPerSecond(target: Target): Promise<number> {
  const options = { url: target.url, headers: target.headers ?? {}, connections }
  await autocannon({ ...options, duration: warmUpSeconds })
  const result = await autocannon({ ...options, duration: measureSeconds })
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.name}: ${result.non2xx} answers were not 2xx, ${result.errors} failed`)
  }
  return result['2xx'] / result.duration
}

export type Ratio = { readonly ours: number; readonly baseline: number; readonly ratio: number }

/**
 * Measures both in turn, several times, and takes the middle ratio: these machines are noisy, and what slows one
 * round slows both sides of it.
 */
export async function compare(ours: Target, baseline: Target, rounds: number): Promise<Ratio> {
  const measured: Ratio[] = []
  for (let round = 1; round <= rounds; round++) {
    const base = await requestsPerSecond(baseline)
    const own = await requestsPerSecond(ours)
    measured.push({ ours: own, baseline: base, ratio: own / base })
    console.log(
      `  round ${round} of ${rounds}: ${own.toFixed(0)}/s against ${base.toFixed(0)}/s, ${(own / base).toFixed(2)}`,
    )
  }
  const middle = measured.sort((a, b) => a.ratio - b.ratio)[Math.floor(rounds / 2)]
  if (middle === undefined) throw new Error('no rounds')
  return middle
}

/** Starts a server program that prints one line of JSON when it is ready. */
export async function startServer<Ready>(
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ ready: Ready; stop: () => Promise<void> }> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const line = await firstLine(child)
  return {
    ready: JSON.parse(line) as Ready,
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
