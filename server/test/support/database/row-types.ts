import pg from 'pg'
import ts from 'typescript'
import { sessionTypes } from '../../../src/store/database.ts'

/** What PostgreSQL answered at a place in the sources, `path:line`: the fields with their types, and which were null. */
export type SeenRows = {
  readonly site: string
  readonly fields: readonly { readonly name: string; readonly type: number }[]
  readonly nulls: readonly string[]
}

const readers = new Set(['rows', 'one', 'maybeOne'])

/** Every place that reads rows with a declared type, as `path:line`. */
export function typedReads(program: ts.Program, paths: readonly string[]): Map<string, ts.Type[]> {
  const checker = program.getTypeChecker()
  const reads = new Map<string, ts.Type[]>()
  for (const path of paths) {
    const source = program.getSourceFile(path)
    if (source === undefined) throw new Error(`${path} is not part of the program.`)
    const visit = (node: ts.Node): void => {
      if (ts.isPropertyAccessExpression(node) && readers.has(node.name.text)) {
        const row = rowOf(checker, node.expression)
        const { line } = source.getLineAndCharacterOfPosition(node.name.getStart())
        const site = `${path}:${line + 1}`
        if (row !== null) reads.set(site, [...(reads.get(site) ?? []), row])
      }
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  return reads
}

/** The `Row` of a `Sql<Row>`; null for anything else, and if no row type is declared. */
function rowOf(checker: ts.TypeChecker, statement: ts.Expression): ts.Type | null {
  const type = checker.getTypeAtLocation(statement)
  if (type.symbol?.name !== 'Sql') return null
  const [row] = checker.getTypeArguments(type as ts.TypeReference)
  return row === undefined || row.flags & ts.TypeFlags.Unknown ? null : row
}

/** Every difference between the row types and PostgreSQL's answers, in words. */
export function disagreements(
  checker: ts.TypeChecker,
  reads: ReadonlyMap<string, readonly ts.Type[]>,
  seen: readonly SeenRows[],
): string[] {
  const found = seen.flatMap(({ site, fields, nulls }) => {
    const rows = reads.get(site)
    if (rows === undefined) return []
    const [row] = rows
    if (row === undefined || rows.length > 1) return [`${site}: reads rows twice in one line`]
    if (!(row.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection)))
      return [`${site}: ${checker.typeToString(row)} is not a row type`]
    const properties = new Map(row.getProperties().map((property) => [property.name, property]))
    const names = new Set(fields.map(({ name }) => name))
    return [
      ...[...properties]
        .filter(([name, { flags }]) => !names.has(name) && !(flags & ts.SymbolFlags.Optional))
        .map(([name]) => `${name} is in the type only`),
      ...fields.flatMap(({ name, type: oid }) => {
        // The result of a function that returns nothing.
        if (oid === voidType) return []
        const property = properties.get(name)
        if (property === undefined) return [`${name} is in the answer only`]
        const type = checker.getTypeOfSymbol(property)
        const says = `${name} is ${checker.typeToString(type)} in the type`
        return [
          ...(fits(checker, type, kindOf(oid)) ? [] : [`${says}, ${shown(kindOf(oid))} in the answer`]),
          ...(nulls.includes(name) && !canBeNull(type) ? [`${says}, and was null`] : []),
        ]
      }),
    ].map((difference) => `${site}: ${difference}`)
  })
  return [...new Set(found)].sort()
}

type Kind = 'bigint' | 'number' | 'string' | 'boolean' | 'Date' | 'bytes' | 'json' | 'other' | { list: Kind }

const shown = (kind: Kind): string => (typeof kind === 'string' ? kind : `${shown(kind.list)}[]`)

const voidType = 2278
const { builtins } = pg.types
const jsonTypes = new Set<number>([builtins.JSON, builtins.JSONB])
// A value that each parser accepts; a type that is not listed is text.
const samples = new Map<number, string>([
  ...[builtins.INT2, builtins.INT4, builtins.INT8, builtins.NUMERIC, builtins.FLOAT4, builtins.FLOAT8].map(
    (oid) => [oid, '1'] as const,
  ),
  [builtins.OID, '1'],
  [builtins.BOOL, 't'],
  [builtins.BYTEA, '\\x00'],
  [builtins.INTERVAL, '1 day'],
  ...[builtins.DATE, builtins.TIMESTAMP, builtins.TIMESTAMPTZ].map(
    (oid) => [oid, '2026-01-02 03:04:05+00'] as const,
  ),
  // Lists of smallint, integer, oid, real, double precision, bigint and numeric.
  ...[1005, 1007, 1028, 1021, 1022, 1016, 1231].map((oid) => [oid, '{1}'] as const),
  // Lists of text, varchar, uuid and boolean; of timestamp, timestamptz and date; of bytea.
  ...[1009, 1015, 2951, 1000].map((oid) => [oid, '{t}'] as const),
  ...[1115, 1185, 1182].map((oid) => [oid, '{"2026-01-02 03:04:05+00"}'] as const),
  [1001, '{"\\\\x00"}'],
])

/** The type that the service gets for a PostgreSQL type, found by parsing a sample. */
function kindOf(oid: number): Kind {
  if (jsonTypes.has(oid)) return 'json'
  return kindOfValue(sessionTypes.getTypeParser(oid)(samples.get(oid) ?? 'x'))
}

function kindOfValue(value: unknown): Kind {
  if (Array.isArray(value)) return { list: kindOfValue(value[0]) }
  if (value instanceof Date) return 'Date'
  if (value instanceof Uint8Array) return 'bytes'
  const kind = typeof value
  return kind === 'bigint' || kind === 'number' || kind === 'string' || kind === 'boolean' ? kind : 'other'
}

const nullish = ts.TypeFlags.Null | ts.TypeFlags.Undefined

function canBeNull(type: ts.Type): boolean {
  if (type.flags & ts.TypeFlags.Unknown) return true
  return type.isUnion() && type.types.some(({ flags }) => flags & ts.TypeFlags.Null)
}

function fits(checker: ts.TypeChecker, type: ts.Type, kind: Kind): boolean {
  if (type.isUnion()) return type.types.every((part) => part.flags & nullish || fits(checker, part, kind))
  if (kind === 'json') return isJson(checker, type, new Set())
  // A brand: the base type and a part that exists only for the compiler.
  if (type.isIntersection()) return type.types.some((part) => fits(checker, part, kind))
  if (typeof kind !== 'string') {
    const item = checker.isArrayType(type) ? checker.getTypeArguments(type as ts.TypeReference)[0] : undefined
    return item !== undefined && fits(checker, item, kind.list)
  }
  return ofKind(type) === kind
}

function ofKind(type: ts.Type): Kind | null {
  if (type.flags & ts.TypeFlags.BigIntLike) return 'bigint'
  if (type.flags & ts.TypeFlags.NumberLike) return 'number'
  if (type.flags & ts.TypeFlags.StringLike) return 'string'
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean'
  if (type.symbol?.name === 'Date') return 'Date'
  return type.symbol?.name === 'Buffer' || type.symbol?.name === 'Uint8Array' ? 'bytes' : null
}

/** Whether JSON can represent it: it has no bigints, times or bytes. */
function isJson(checker: ts.TypeChecker, type: ts.Type, above: ReadonlySet<ts.Type>): boolean {
  if (above.has(type)) return true
  const within = new Set(above).add(type)
  if (type.isUnionOrIntersection()) return type.types.every((part) => isJson(checker, part, within))
  const kind = ofKind(type)
  if (kind !== null) return kind !== 'bigint' && kind !== 'Date' && kind !== 'bytes'
  if (!(type.flags & ts.TypeFlags.Object)) return true
  if (checker.isArrayType(type) || checker.isTupleType(type))
    return checker.getTypeArguments(type as ts.TypeReference).every((item) => isJson(checker, item, within))
  return type.getProperties().every((property) => isJson(checker, checker.getTypeOfSymbol(property), within))
}
