import { lchown, lstat, mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'

export type Owner = { readonly uid: number; readonly gid: number }

/**
 * Who must own a new file in the wallet folder: root's commands leave what they create to the signer's user. The signer
 * itself gives the whole folder away, and Node's permission model does not let it change the owner of an open file.
 */
export async function ownerBeside(path: string): Promise<Owner | undefined> {
  if (process.getuid?.() !== 0 || process.permission !== undefined) return undefined
  const folder = await stat(dirname(path)).catch(() => null)
  return folder === null ? undefined : { uid: folder.uid, gid: folder.gid }
}

/** Gives the folder and the files in it to a user, as root. A link is left alone: it may lead elsewhere. */
export async function giveFolder(folder: string, { uid, gid }: Owner): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const found = await lstat(path)
    if (found.isFile() && found.nlink === 1) await lchown(path, uid, gid)
  }
  await lchown(folder, uid, gid)
}
