import { constants } from 'node:fs'
import { copyFile, type FileHandle, open, rm } from 'node:fs/promises'
import { onPath } from './error.ts'

/** The log is truncated when it grows past this. The previous part is kept once, as `<file>.1`. */
const maxLogBytes = 8 * 1024 * 1024
const tailBytes = 4_096
const tailLines = 12

/** Opens the server's log for appending. Never follows a link, because root may log into another user's folder. */
export async function openLog(path: string): Promise<FileHandle> {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  return onPath(path, 'write', () => open(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600))
}

/**
 * Keeps the log bounded. The server keeps the file open and appends to it, so the file is copied and truncated. A line
 * written in between may be lost.
 */
export async function boundLog(path: string, log: FileHandle, maxBytes = maxLogBytes): Promise<void> {
  if ((await log.stat()).size <= maxBytes) return
  await rm(`${path}.1`, { force: true })
  await copyFile(path, `${path}.1`, constants.COPYFILE_EXCL)
  await log.truncate(0)
}

/** The last lines of the log written at or after byte `since`, to explain a failure. */
export async function logTail(log: FileHandle, since: number): Promise<string> {
  const { size } = await log.stat()
  const start = Math.max(since > size ? 0 : since, size - tailBytes)
  const { buffer, bytesRead } = await log.read({ buffer: Buffer.alloc(tailBytes), position: start })
  return buffer.toString('utf8', 0, bytesRead).trim().split('\n').slice(-tailLines).join('\n')
}
