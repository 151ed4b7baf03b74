import { createHash } from 'node:crypto'

/** A short name for a path, stable across starts. */
export function pathHash(path: string): string {
  return createHash('sha256').update(path).digest('hex').slice(0, 16)
}
