import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'
import { pathHash } from './path-hash.ts'

export type ClusterProcess = {
  readonly pid: number
  readonly parent: number
  readonly uid: number
}

const ourCommands = new Set(['postgres', 'initdb'])

/** The name that a server shows in the titles of its processes (`postgres: sluice-…: checkpointer`). */
export function clusterName(cluster: string): string {
  return `sluice-${pathHash(cluster)}`
}

/**
 * The living PostgreSQL processes of the cluster in `folder`, or of one being created `within` it. PostgreSQL changes
 * into its cluster and stays there, so this finds orphans that no pid file names, and never an unrelated process that
 * reuses a pid from such a file. Synchronous, so that a pid cannot be reused between the search and the signal.
 */
export function clusterProcesses(folder: string, where: 'at' | 'within' = 'at'): ClusterProcess[] {
  const found: ClusterProcess[] = []
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    try {
      // proc(5): `pid (command) state ppid …`; the command may contain anything, parentheses too.
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      const command = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'))
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      if (state === 'Z' || !ourCommands.has(command) || !belongs(name, folder, where)) continue
      found.push({ pid: Number(name), parent: Number(parent), uid: statSync(`/proc/${name}`).uid })
    } catch {
      // The process ended while we looked.
    }
  }
  return found
}

function belongs(pid: string, folder: string, where: 'at' | 'within'): boolean {
  const cwd = workingFolder(pid)
  if (cwd !== null) return cwd === folder || (where === 'within' && cwd.startsWith(`${folder}/`))
  // Root in a container may not read the working folder of other users (no CAP_SYS_PTRACE), but does see their command
  // lines. Those can be forged, so they count only for the user who owns the folder.
  if (statSync(`/proc/${pid}`).uid !== statSync(folder).uid) return false
  const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  if (where === 'within') return args.some((arg) => arg.startsWith(`--pgdata=${folder}/`))
  return args.includes(folder) || (args[0] ?? '').startsWith(`postgres: ${clusterName(folder)}: `)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}
