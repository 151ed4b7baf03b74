import { randomFillSync } from 'node:crypto'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const length = 26
const pool = Buffer.alloc(length * 256)
let used = pool.length

/** `req_` and 130 random bits. */
export function makeRequestId(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  let id = 'req_'
  for (const end = used + length; used < end; used++) id += alphabet[(pool[used] as number) & 31]
  return id
}
