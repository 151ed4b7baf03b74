import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'

const maxBytes = 1024 ** 3
// Any fixed time does. npm refuses archives from before 1980 on some file systems.
const writtenAt = '2020-01-01T00:00:00Z'

/** A folder as a .tar.gz. The same files make the same bytes on every machine and every day. */
export function packed(parent: string, name: string): Buffer {
  const options = ['--sort=name', `--mtime=${writtenAt}`, '--owner=0', '--group=0', '--numeric-owner']
  const tar = execFileSync('tar', [...options, '--mode=u=rwX,go=rX', '--format=ustar', '-cf', '-', name], {
    cwd: parent,
    maxBuffer: maxBytes,
  })
  return gzipSync(tar, { level: 9 })
}
