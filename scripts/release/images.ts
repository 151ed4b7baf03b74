/**
 * Lays out the whole root file system of both images: `node scripts/release/images.ts FOLDER` makes FOLDER/sluice and
 * FOLDER/signer. The Dockerfile copies them into empty images, and a test runs the same folders without a container
 * runtime. Besides Sluice there is only Node and the libraries that it loads: no shell, no package manager.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pinnedNode } from '../../server/bin/launch.mjs'
import { type Kind, layTree } from './trees.ts'

/** Where things are in an image. The Dockerfile, the compose files and the chart use the same paths and users. */
export const image = {
  node: '/usr/local/bin/node',
  home: '/opt/sluice',
  dataDir: '/var/lib/sluice',
  uids: { sluice: 10_001, signer: 10_002 },
} as const

/** Lays out the root file system of one image in an empty folder. */
export async function layImage(kind: Kind, folder: string): Promise<void> {
  await layTree(kind, within(folder, image.home))
  const node = pinnedNode()?.path ?? process.execPath
  for (const [from, to] of [
    [node, image.node] as const,
    ...librariesOf(node).map((path) => [path, path] as const),
  ]) {
    mkdirSync(dirname(join(folder, to)), { recursive: true })
    copyFileSync(from, join(folder, to))
    chmodSync(join(folder, to), 0o755)
  }
  const uid = image.uids[kind]
  const name = kind === 'sluice' ? 'sluice' : 'sluice-signer'
  const etc = within(folder, '/etc')
  writeFileSync(join(etc, 'passwd'), `${name}:x:${uid}:${uid}::${image.dataDir}:/nonexistent\n`)
  writeFileSync(join(etc, 'group'), `${name}:x:${uid}:\n`)
  // Mount points, which a read-only file system must bring along.
  for (const path of ['/tmp', '/proc', '/dev', '/sys', '/run/secrets', image.dataDir]) within(folder, path)
}

function within(folder: string, path: string): string {
  mkdirSync(join(folder, path), { recursive: true })
  return join(folder, path)
}

/** The shared libraries that a program loads, and the loader itself. */
function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(?:=> |^\s*)(\/\S+) \(0x/gm)].map(([, path = '']) => path)
}

if (import.meta.main) {
  const [folder = ''] = process.argv.slice(2)
  if (folder === '') {
    console.error('Name an empty folder: node scripts/release/images.ts FOLDER')
    process.exit(2)
  }
  for (const kind of ['sluice', 'signer'] as const) await layImage(kind, join(folder, kind))
}
