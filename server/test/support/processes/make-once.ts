import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const pollMs = 50

/**
 * Has one process make what all need, and the others wait for it. `make` must put it at `path` in one step; what is there
 * already is not made again.
 */
export async function makeOnce(path: string, make: () => Promise<void>): Promise<void> {
  mkdirSync(dirname(path), { recursive: true })
  // The worker that makes it says so here: in a fresh checkout every worker would, for seconds each.
  const claim = `${path}.claim`
  while (!existsSync(path)) {
    if (!isClaimed(claim)) {
      await sleep(pollMs)
      continue
    }
    try {
      if (!existsSync(path)) await make()
    } finally {
      rmSync(claim, { force: true })
    }
  }
}

/** Whether it is ours now. The claim of a process that has died meanwhile is removed. */
function isClaimed(claim: string): boolean {
  try {
    writeFileSync(claim, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  try {
    const pid = Number(readFileSync(claim, 'utf8'))
    // Empty for the moment in which it is written.
    if (pid > 0) process.kill(pid, 0)
  } catch {
    rmSync(claim, { force: true })
  }
  return false
}
