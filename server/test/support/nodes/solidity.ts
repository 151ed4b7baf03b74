import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Abi, Hex } from 'viem'
import { patienceMs } from '../patience.ts'
import { makeOnce } from '../processes/make-once.ts'

/** A compiled contract, ready to be deployed. */
export type Contract = { readonly abi: Abi; readonly bytecode: Hex }

type Output = {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Record<
    string,
    Record<string, { readonly abi: Abi; readonly evm: { readonly bytecode: { readonly object: string } } }>
  >
}

const sources = join(import.meta.dirname, 'contracts')
const modules = join(import.meta.dirname, '../../../../node_modules')
const compiler = join(modules, 'solc/solc.js')
const kept = join(modules, '.cache/sluice-contracts')
const maxAnswerBytes = 16 * 2 ** 20

/**
 * The contracts of `contracts/`, by name. They are compiled in a process of its own, and only again if they or the compiler
 * change; several test files may ask at the same time.
 */
export async function compileContracts(): Promise<ReadonlyMap<string, Contract>> {
  const names = readdirSync(sources).filter((name) => name.endsWith('.sol'))
  const input = JSON.stringify({
    language: 'Solidity',
    sources: Object.fromEntries(
      names.map((name) => [name, { content: readFileSync(join(sources, name), 'utf8') }]),
    ),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  })
  const version = readFileSync(join(modules, 'solc/package.json'), 'utf8')
  const path = join(kept, `${createHash('sha256').update(version).update(input).digest('hex')}.json`)
  await makeOnce(path, async () => {
    const made = `${path}.${process.pid}`
    writeFileSync(made, JSON.stringify([...contractsIn(await compile(input))]))
    renameSync(made, path)
  })
  return new Map(JSON.parse(readFileSync(path, 'utf8')) as [string, Contract][])
}

function compile(input: string): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      [compiler, '--standard-json'],
      { timeout: patienceMs, maxBuffer: maxAnswerBytes, killSignal: 'SIGKILL' },
      (error, stdout) => (error === null ? resolve(JSON.parse(jsonOf(stdout))) : reject(error)),
    )
    child.stdin?.end(input)
  })
}

// The compiler first prints that no prover is available.
function jsonOf(text: string): string {
  return text.slice(text.indexOf('{'))
}

function contractsIn({ errors = [], contracts = {} }: Output): Map<string, Contract> {
  const wrong = errors.filter(({ severity }) => severity === 'error')
  if (wrong.length > 0) throw new Error(wrong.map(({ formattedMessage }) => formattedMessage).join('\n'))
  return new Map(
    Object.values(contracts).flatMap((inFile) =>
      Object.entries(inFile).map(([name, { abi, evm }]): [string, Contract] => [
        name,
        { abi, bytecode: `0x${evm.bytecode.object}` },
      ]),
    ),
  )
}
