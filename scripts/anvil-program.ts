import { join } from 'node:path'

/** The npm package of anvil and the digest of its archive. It is available for x64 only. */
export const anvilPackage = {
  name: '@foundry-rs/anvil-linux-amd64',
  version: '1.7.1',
  integrity:
    'sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==',
} as const

/** Where it is kept: not in `node_modules`, which `npm ci` empties. Each version has its own folder. */
export const anvilFolder = join(import.meta.dirname, `../tmp/anvil-${anvilPackage.version}`)
export const anvilProgram = join(anvilFolder, 'bin/anvil')
