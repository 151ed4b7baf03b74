/** The embedded PostgreSQL cannot run. The message tells the operator what is wrong, where, and what to do. */
export class EmbeddedPostgresError extends Error {
  override readonly name = 'EmbeddedPostgresError'
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOTDIR: 'a part of the path is not a folder',
}

/** The `code` of a Node or PostgreSQL error (`ENOENT`, `57P03`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Runs `work`. A file system error is rethrown with the path and the reason in plain words. */
export async function onPath<T>(path: string, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const reason = reasons[errorCode(error) ?? '']
    if (reason === undefined || error instanceof EmbeddedPostgresError) throw error
    throw new EmbeddedPostgresError(
      `Cannot ${what} ${path}: ${reason}. ` +
        'The embedded database needs a writable folder with free space; SLUICE_DATA_DIR names it.',
      { cause: error },
    )
  }
}
