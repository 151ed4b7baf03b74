import { execFileSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { layTree, root } from '../../../../scripts/release/trees.ts'
import { readMigrations } from '../../../src/store/migrate.ts'

/** An installed version of Sluice, apart from the project's own files. */
export type Installation = {
  readonly folder: string
  /** Its command, for Node. */
  readonly command: string
}

/** The version of this project as a release lays it out. */
export async function installThis(folder: string): Promise<Installation> {
  await layTree('sluice', folder)
  return { folder, command: join(folder, 'server/bin/sluice.mjs') }
}

/** The version that a git ref holds, built by its own scripts with the packages of this project. */
export async function installRef(ref: string, folder: string): Promise<Installation> {
  const sources = `${folder}-sources`
  await mkdir(sources)
  await mkdir(folder)
  const tar = execFileSync('git', ['archive', ref], { cwd: root, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', sources], { input: tar })
  await symlink(join(root, 'node_modules'), join(sources, 'node_modules'))
  const lay = `import { layTree } from './scripts/release/trees.ts'; await layTree('sluice', process.argv[1])`
  execFileSync(process.execPath, ['--input-type=module', '-e', lay, folder], { cwd: sources })
  return { folder, command: join(folder, 'server/bin/sluice.mjs') }
}

/** The ref of the newest release; null: there is none. */
export function newestRelease(): string | null {
  const tags = execFileSync('git', ['tag', '--list', 'v*', '--sort=-version:refname'], {
    cwd: root,
    encoding: 'utf8',
  })
  return tags.split('\n')[0] || null
}

/** Gives an installation more migrations than this project has, in this order. */
export async function addMigrations(
  { folder }: Installation,
  added: Readonly<Record<string, string>>,
): Promise<void> {
  let number = (await readMigrations()).length
  for (const [name, sql] of Object.entries(added)) {
    const file = `${String(++number).padStart(4, '0')}_${name}.sql`
    await writeFile(join(folder, 'server/src/store/migrations', file), sql)
  }
}
