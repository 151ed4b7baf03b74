import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { image } from '../../../../scripts/release/images.ts'
import type { Kind } from '../../../../scripts/release/trees.ts'
import { patienceMs } from '../patience.ts'
import { canMount, contained } from './contained.ts'
import type { Finished } from './sluice-process.ts'

/** The laid-out root of an image, and the folders that are mounted there. */
export type LaidImage = {
  readonly kind: Kind
  readonly root: string
  readonly secrets: string
  readonly dataDir: string
}

/** Where a process in the image finds what is mounted. */
export function placesIn({ secrets, dataDir }: LaidImage): { secrets: string; dataDir: string } {
  return canMount ? { secrets: '/run/secrets', dataDir: image.dataDir } : { secrets, dataDir }
}

/** Takes the write permissions away where the image cannot be mounted read-only. */
export function seal({ root }: LaidImage): void {
  if (!canMount) execFileSync('chmod', ['-R', 'a-w', root])
}

/** Runs the image's Node with these arguments: a program of the image first. */
export function spawnInImage(
  laid: LaidImage,
  [program = '', ...args]: readonly string[],
  env: Record<string, string>,
): ChildProcess {
  const { kind, root, secrets, dataDir } = laid
  const path = (name: string) => (canMount ? name : join(root, name))
  const command = [path(image.node), program.startsWith('/') ? path(program) : program, ...args]
  const uid = image.uids[kind]
  const mounts = [
    { kind: 'tmpfs', options: 'mode=1777,nosuid,nodev,noexec', to: '/tmp' },
    { kind: 'ro', from: secrets, to: '/run/secrets' },
    { kind: 'rw', from: dataDir, to: image.dataDir },
  ] as const
  // Where nothing can be mounted, an image runs in place, as the test's own user and without write permissions.
  const [first = '', ...rest] = canMount
    ? contained({ root, mounts, user: `${uid}:${uid}` }, command)
    : command
  // The environment of an image, and nothing of this test's.
  return spawn(first, rest, { env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
}

/** Runs it to its end. */
export async function runInImage(
  laid: LaidImage,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Finished> {
  const child = spawnInImage(laid, args, env)
  const written = collected(child)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...written }
}

/** Runs `sluice start` there and returns what it said when it was ready. */
export async function startInImage(
  laid: LaidImage,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ child: ChildProcess; ready: { url: string }; stop: () => Promise<number | null> }> {
  const child = spawnInImage(laid, [...args, '--json'], env)
  const written = collected(child)
  await new Promise<void>((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}:\n${written.stderr}`))
    const late = setTimeout(() => fail('not ready in time'), patienceMs)
    child.stdout?.on('data', () => {
      if (!written.stdout.includes('\n')) return
      clearTimeout(late)
      resolve()
    })
    child.once('exit', (code) => {
      clearTimeout(late)
      fail(`ended with ${code}`)
    })
  })
  return {
    child,
    ready: JSON.parse(written.stdout),
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      return child.exitCode
    },
  }
}

/** What a process writes, growing while it runs. */
function collected({ stdout, stderr }: ChildProcess): { stdout: string; stderr: string } {
  const written = { stdout: '', stderr: '' }
  stdout?.on('data', (chunk) => (written.stdout += chunk))
  stderr?.on('data', (chunk) => (written.stderr += chunk))
  return written
}
