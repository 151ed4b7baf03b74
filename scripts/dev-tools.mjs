/**
 * The tools for developing Sluice: compilers, linters, test runners. `npm ci` leaves them out (`.npmrc`), and every
 * command that needs them makes sure here that they are installed as the lock file says. Plain JavaScript without
 * dependencies, for Node 18 and newer: it runs before anything else is installed, on the machine's own Node.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))
const modules = join(root, 'node_modules')
// Not in node_modules, which npm empties.
const lockFile = join(root, 'tmp/dev-tools.lock')
const pollMs = 200
const longestWaitMs = 15 * 60_000

/** Installs the development tools unless they match the lock file. Rejects if that is not possible. */
export async function ensureDevTools() {
  if (areInstalled()) return
  await alone(async () => {
    // Most likely the previous holder of the lock has installed them.
    if (areInstalled()) return
    console.error('Installing the development tools (takes a minute)')
    // Adds what is missing beside what an operator has. If that is not enough, everything is installed anew.
    if (existsSync(modules)) await install('install', '--no-save', '--no-audit').catch(() => {})
    if (!areInstalled()) await install('ci')
    if (!areInstalled())
      throw new Error(
        'The installed packages do not match package-lock.json. Run `npm ci --include=dev` and check its output.',
      )
  })
}

/** Whether everything that the lock file requires on this platform is installed in its version, by npm's own list. */
function areInstalled() {
  const wanted = packagesIn(join(root, 'package-lock.json'))
  const present = packagesIn(join(modules, '.package-lock.json'))
  return Object.entries(wanted).every(([path, { version, optional, link }]) => {
    // Optional packages are for some platforms only; our own are links.
    if (!path.startsWith('node_modules/') || optional || link) return true
    return present[path]?.version === version && existsSync(join(root, path, 'package.json'))
  })
}

function packagesIn(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages ?? {}
  } catch {
    // Nothing is installed, or an installation is in progress.
    return {}
  }
}

function install(command, ...options) {
  const { npm_execpath: npm, npm_node_execpath: node, NODE_ENV: _, ...env } = process.env
  // The Node in node_modules disappears while it is running.
  const isOurs = (path) => path.startsWith(modules + sep)
  const path = (env.PATH ?? '').split(delimiter).filter((entry) => !isOurs(join(entry, sep)))
  const known = npm?.endsWith('.js') && node !== undefined && existsSync(node) && !isOurs(node)
  const args = [command, ...options, '--include=dev', '--no-progress', '--loglevel=error']
  const child = spawn(known ? node : 'npm', known ? [npm, ...args] : args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...env, PATH: path.join(delimiter) },
  })
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new Error(`npm could not be started: ${error.message}.`)))
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else
        reject(
          new Error(
            `npm ${command} --include=dev failed (${signal ?? `exit code ${code}`}); the lines above say why.`,
          ),
        )
    })
  })
}

/** Runs the work while no other process of this folder does. Clears a lock that a dead process left. */
async function alone(work) {
  mkdirSync(join(lockFile, '..'), { recursive: true })
  for (let waitedMs = 0; !taken(); waitedMs += pollMs) {
    if (waitedMs > longestWaitMs)
      throw new Error(
        `Another process has been installing for too long. If there is none, delete ${lockFile}.`,
      )
    clearStale()
    await sleep(pollMs)
  }
  try {
    await work()
  } finally {
    rmSync(lockFile, { force: true })
  }
}

function taken() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function clearStale() {
  if (!isDead(lockFile)) return
  // Two processes may get here at once. If one already holds the lock when the other removes it, it is put back.
  const aside = `${lockFile}.${process.pid}`
  try {
    renameSync(lockFile, aside)
    if (isDead(aside)) rmSync(aside)
    else renameSync(aside, lockFile)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function isDead(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'))
    // Empty at the moment of creation.
    if (pid === 0) return false
    process.kill(pid, 0)
    return pid === process.pid
  } catch (error) {
    return error.code === 'ESRCH'
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  try {
    await ensureDevTools()
  } catch (error) {
    console.error(error.message)
    process.exitCode = 1
  }
}
