/**
 * Runs the project's programs on the Node that `npm ci` installed beside it, not on the machine's own Node. Plain
 * JavaScript for Node 18 and newer. It looks for that Node itself, because older npm creates no
 * `node_modules/.bin/node` when two packages, one for each processor, claim the name.
 */
import { spawn } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import './no-inspector.mjs'

/** The oldest Node that runs TypeScript and has the APIs that the service uses. */
const neededMajor = 24
// SIGHUP arrives when a terminal is closed.
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
const installed = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** The path and version of the pinned Node; null if npm installed none for this machine. */
export function pinnedNode() {
  try {
    const file = createRequire(import.meta.url).resolve(
      `node-${process.platform}-${process.arch}/package.json`,
    )
    const path = join(dirname(file), 'bin', 'node')
    accessSync(path, constants.X_OK)
    return { path, version: `v${JSON.parse(readFileSync(file, 'utf8')).version}` }
  } catch {
    return null
  }
}

/**
 * Whether this process runs on the Node that everything is tested with or, if that is not installed, on one that is new
 * enough.
 */
export function isRightNode() {
  const pinned = pinnedNode()
  return pinned === null ? isNewEnough() : process.version === pinned.version
}

function isNewEnough() {
  return Number(process.versions.node.split('.')[0]) >= neededMajor
}

/**
 * Runs a program and ends as it ends: with its exit code, or by its signal. Signals are forwarded. A terminal signals
 * the program too, so it must tolerate the same signal twice.
 */
export function run(program, args, env = process.env) {
  const child = spawn(program, args, { stdio: 'inherit', env })
  for (const signal of signals) process.on(signal, () => child.kill(signal))
  child.once('error', (error) => {
    console.error(`${program} could not be started: ${error.message}`)
    process.exit(1)
  })
  child.once('exit', (code, signal) => {
    for (const name of signals) process.removeAllListeners(name)
    if (signal === null) process.exit(code ?? 1)
    process.kill(process.pid, signal)
  })
}

/** Runs Node with these arguments: the pinned one or, if there is none, this one if it is new enough. */
export function runNode(args) {
  const node = chooseNode()
  run(node, args, environment(node))
}

/** Runs an installed command, such as `vitest`, on the same Node. */
export function runTool(name, args) {
  const path = join(installed, '.bin', name)
  if (!existsSync(path)) fail(`The command "${name}" is not installed. Run "npm ci" first.`)
  run(path, args, environment(chooseNode()))
}

// A program that starts `node` or a tool by name gets the project's own.
function environment(node) {
  const paths = [dirname(node), join(installed, '.bin'), process.env.PATH ?? '']
  return { ...process.env, PATH: paths.join(delimiter) }
}

function chooseNode() {
  const pinned = pinnedNode()
  if (pinned !== null) return pinned.path
  if (isNewEnough()) return process.execPath
  return fail(explanation())
}

function explanation() {
  const found = `Sluice needs Node ${neededMajor}, but this is ${process.version}.`
  const isPackaged = process.platform === 'linux' && ['x64', 'arm64'].includes(process.arch)
  if (!isPackaged)
    return `${found} npm cannot install it for ${process.platform} on ${process.arch}: install Node ${neededMajor} yourself.`
  if (!existsSync(installed)) return `${found} Run "npm ci" first: it installs the right one.`
  return (
    `${found} The right one is missing from node_modules: run "npm ci" again, without --omit=optional, or install ` +
    `Node ${neededMajor} yourself.`
  )
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
