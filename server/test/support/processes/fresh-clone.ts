import { execFile } from 'node:child_process'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { root } from '../pages/code-blocks.ts'

const run = promisify(execFile)

export type User = { readonly uid?: number; readonly gid?: number }

/** Who runs what a reader would: not root, where root runs the tests. */
export const ordinaryUser: User = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

/** A clone without built or installed files, owned by the user who will use it. */
export async function cloneTo(path: string, user: User): Promise<void> {
  const options = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const { stdout } = await run('git', options, { cwd: root, maxBuffer: 16 * 1024 ** 2 })
  const files = stdout.split('\0').filter((name) => name !== '')
  for (const folder of new Set(files.map((name) => dirname(name))))
    await mkdir(join(path, folder), { recursive: true })
  for (const name of files) await cp(join(root, name), join(path, name)).catch(ignoreRemoved)
  if (user.uid !== undefined) await run('chown', ['-R', `${user.uid}:${user.gid}`, path])
}

// Listed by git, but removed since.
function ignoreRemoved(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
