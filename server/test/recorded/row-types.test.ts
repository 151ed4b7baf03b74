import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { disagreements, type SeenRows, typedReads } from '../support/database/row-types.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const seen = readSeen(process.env.SLUICE_TEST_ROWS ?? '')

// Each line reads a row for which PostgreSQL's answer differs from the type.
const planted = 'server/src/store/planted.ts'
const plantedText = `
import { type Db, sql } from './sql.ts'
type Id = string & { readonly brand: 'id' }
export async function read(db: Db) {
  await sql<{ id: Id; at: Date | null; list: readonly number[] | null; of: { a: 1 }[] }>\`truth\`.rows(db)
  await sql<{ units: number }>\`wrong type\`.one(db)
  await sql<{ id: string; gone: string }>\`missing field\`.rows(db)
  await sql<{ id: string }>\`untold field\`.maybeOne(db)
  await sql<{ at: Date }>\`null\`.rows(db)
  await sql<{ data: { at: Date } }>\`a time in JSON\`.rows(db)
  await sql<{ list: bigint[] }>\`a list of floats\`.rows(db)
  await sql\`nothing said\`.rows(db)
}
`
const program = programWith(planted, plantedText)

it('every kind of wrong row type is found', () => {
  const { UUID, TIMESTAMPTZ, NUMERIC, JSONB, TEXT } = pg.types.builtins
  const [int4s, numerics] = [1007, 1231]
  const at = (line: number, fields: Record<string, number>, nulls: readonly string[] = []): SeenRows => ({
    site: `${planted}:${line}`,
    fields: Object.entries(fields).map(([name, type]) => ({ name, type })),
    nulls,
  })
  const found = check(
    [planted],
    [
      at(5, { id: UUID, at: TIMESTAMPTZ, list: int4s, of: JSONB, pg_notify: 2278 }, ['at', 'list']),
      at(6, { units: NUMERIC }),
      at(7, { id: UUID }),
      at(8, { id: UUID, more: TEXT }),
      at(9, { at: TIMESTAMPTZ }, ['at']),
      at(10, { data: JSONB }),
      at(11, { list: numerics }),
      at(12, { any: TEXT }, ['any']),
    ],
  )
  expect(found.map((each) => each.replace(`${planted}:`, ''))).toEqual([
    '10: data is { at: Date; } in the type, json in the answer',
    '11: list is bigint[] in the type, number[] in the answer',
    '6: units is number in the type, bigint in the answer',
    '7: gone is in the type only',
    '8: more is in the answer only',
    '9: at is Date in the type, and was null',
  ])
})

const store = program.getRootFileNames().filter((path) => path !== planted)

// There are none if this project runs alone.
it.skipIf(seen.length === 0)('every row type matches what PostgreSQL answered', () => {
  expect(check(store, seen)).toEqual([])
})

// Fewer would mean that the tests before this one recorded nothing, or at other places.
it.skipIf(seen.length === 0)('nine in ten places that read rows were seen', () => {
  const reads = [...typedReads(program, store).keys()]
  const sites = new Set(seen.map(({ site }) => site))
  const unseen = reads.filter((site) => !sites.has(site))
  expect(unseen.length, `nothing was read at ${unseen.join(', ')}`).toBeLessThan(reads.length / 10)
})

function check(paths: readonly string[], rows: readonly SeenRows[]): string[] {
  return disagreements(program.getTypeChecker(), typedReads(program, paths), rows)
}

/** The sources of the store with one more file, which exists only in memory. */
function programWith(path: string, text: string): ts.Program {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
  const folder = 'server/src/store'
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.getCurrentDirectory = () => root
  host.fileExists = (name) => name === path || fileExists(name)
  host.getSourceFile = (name, ...rest) =>
    name === path || name === join(root, path)
      ? ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
      : getSourceFile(name, ...rest)
  return ts.createProgram([...files.map((name) => `${folder}/${name}`), path], options, host)
}

/** The rows recorded by all workers of the tests on the newest PostgreSQL. */
function readSeen(folder: string): SeenRows[] {
  const names = existsSync(folder) ? readdirSync(folder) : []
  const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}
