import { readdir, readFile } from 'node:fs/promises'

/** The uids (real, effective, saved, file system) of every thread of a process. */
export async function uidsOf(pid: number): Promise<Set<number>> {
  const threads = await readdir(`/proc/${pid}/task`)
  const states = await Promise.all(threads.map((tid) => readFile(`/proc/${pid}/task/${tid}/status`, 'utf8')))
  return new Set(states.flatMap((text) => /^Uid:\s+(.*)$/m.exec(text)?.[1]?.split(/\s+/).map(Number) ?? []))
}

/** The groups of a process, whichever way it has them. */
export async function groupsOf(pid: number): Promise<Set<number>> {
  const text = await readFile(`/proc/${pid}/status`, 'utf8')
  const ids = /^Gid:\s+(.*)\nFDSize:.*\nGroups:\s*(.*)$/m.exec(text)?.slice(1).join(' ') ?? ''
  return new Set(ids.split(/\s+/).filter(Boolean).map(Number))
}

export const argsOf = async (pid: number): Promise<string[]> =>
  (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
