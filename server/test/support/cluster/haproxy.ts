import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export type Haproxy = { stop(): Promise<void> }

/** Starts HAProxy with these settings, which it reads from a file in `folder`. */
export async function startHaproxy(folder: string, settings: string): Promise<Haproxy> {
  const path = join(folder, 'haproxy.cfg')
  await writeFile(path, settings)
  const child = spawn('/usr/sbin/haproxy', ['-db', '-f', path], { stdio: 'ignore' })
  const onExit = () => child.kill('SIGKILL')
  process.once('exit', onExit)
  await once(child, 'spawn')
  return {
    async stop() {
      process.off('exit', onExit)
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}
