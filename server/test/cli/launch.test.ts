import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/processes/temporary-folder.ts'

const root = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

let folder: TemporaryFolder
beforeEach(async () => {
  folder = await makeTemporaryFolder('sluice a b ')
})
afterEach(() => folder.remove())

/** A project of its own with the launcher, this Node as the pinned one, and no links in `.bin`, as older npm leaves it. */
async function makeProject(packaged: { node: boolean } = { node: true }): Promise<string> {
  for (const name of ['server/bin', 'scripts']) await mkdir(join(folder.path, name), { recursive: true })
  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
  for (const name of [
    'server/bin/launch.mjs',
    'server/bin/no-inspector.mjs',
    'scripts/run.mjs',
    'scripts/dev-tools.mjs',
  ])
    await cp(join(root, name), join(folder.path, name))
  if (packaged.node) {
    const place = join(folder.path, 'node_modules', `node-${process.platform}-${process.arch}`)
    await mkdir(join(place, 'bin'), { recursive: true })
    const version = process.version.slice(1)
    await writeFile(join(place, 'package.json'), JSON.stringify({ version }))
    await symlink(process.execPath, join(place, 'bin/node'))
  }
  return folder.path
}

/** The machine's own Node, on which npm runs. */
function machineNode(): { node: string; env: NodeJS.ProcessEnv } {
  const paths = (process.env.PATH ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return { node: 'node', env: { ...process.env, PATH: paths.join(delimiter) } }
}

it('a script and everything it starts by name run on the pinned Node, without any link', async () => {
  const project = await makeProject()
  await writeFile(
    join(project, 'task.ts'),
    `import { execFileSync } from 'node:child_process'
     const inner: string = execFileSync('node', ['-p', 'process.version'], { encoding: 'utf8' }).trim()
     console.log(JSON.stringify([process.version, inner, process.argv.slice(2)]))`,
  )
  const { node, env } = machineNode()
  const { stdout } = await run(node, ['scripts/run.mjs', 'task.ts', 'a b', '--c'], { cwd: project, env })
  expect(JSON.parse(stdout)).toEqual([process.version, process.version, ['a b', '--c']])
})

it('exit codes and signals pass through in both directions', async () => {
  const project = await makeProject()
  await writeFile(join(project, 'ends.ts'), 'process.exit(7)')
  await writeFile(
    join(project, 'waits.ts'),
    `process.on('SIGTERM', () => process.exit(9)); console.log('up'); setInterval(() => {}, 1000)`,
  )
  await writeFile(join(project, 'dies.ts'), `process.kill(process.pid, 'SIGKILL')`)
  const { node, env } = machineNode()
  const start = (file: string) => spawn(node, ['scripts/run.mjs', file], { cwd: project, env })
  expect(await once(start('ends.ts'), 'exit')).toEqual([7, null])
  expect(await once(start('dies.ts'), 'exit')).toEqual([null, 'SIGKILL'])
  const waiting = start('waits.ts')
  await once(waiting.stdout, 'data')
  waiting.kill('SIGTERM')
  expect(await once(waiting, 'exit')).toEqual([9, null])
})

it('if the right Node is missing, one line says what to do', async () => {
  const project = await makeProject({ node: false })
  const said = async () => {
    // An older Node than the service needs, even if the machine has a newer one.
    const older = join(project, 'older.mjs')
    await writeFile(
      older,
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.1.0' } })
       Object.defineProperty(process, 'version', { value: 'v20.1.0' })
       process.argv.splice(1, 1)
       await import('./scripts/run.mjs')`,
    )
    const ended = await run(process.execPath, [older, 'scripts/run.mjs', 'task.ts'], { cwd: project }).catch(
      (error) => error,
    )
    return [ended.code, ended.stderr]
  }
  expect(await said()).toEqual([
    1,
    'Sluice needs Node 24, but this is v20.1.0. Run "npm ci" first: it installs the right one.\n',
  ])
  await mkdir(join(project, 'node_modules'))
  expect(await said()).toEqual([
    1,
    'Sluice needs Node 24, but this is v20.1.0. The right one is missing from node_modules: run "npm ci" again, without --omit=optional, or install Node 24 yourself.\n',
  ])
})

it('every npm script starts through the launcher', async () => {
  const { default: packaged } = await import('../../../package.json', { with: { type: 'json' } })
  for (const [name, command] of Object.entries(packaged.scripts))
    for (const part of command.split('&&').map((each) => each.trim()))
      expect(part, name).toMatch(/^(exec )?node scripts\/run\.mjs |^npm |^scripts\/provision$/)
})
