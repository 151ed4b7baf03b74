import { join } from 'node:path'

/** The npm package that anvil comes in, and what its archive must be; compiled for x64 only, as far as it can be had. */
export const anvilPackage = {
  name: '@foundry-rs/anvil-linux-amd64',
  version: '1.7.1',
  integrity:
    'sha512-+XmShybEaxfCrr0OUUZwYEy2OnYZt5pHH9TzBtLv3+VrK0O/ANuNSVEahqNhKHlgX7GRJ59383ofNhxkRWIYTg==',
} as const

/** Where it is kept: not in `node_modules`, which `npm ci` empties. Another version lies elsewhere. */
export const anvilFolder = join(import.meta.dirname, `../tmp/anvil-${anvilPackage.version}`)
export const anvilProgram = join(anvilFolder, 'bin/anvil')
