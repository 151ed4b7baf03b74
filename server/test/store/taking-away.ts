import { isConcurrent, type Migration } from '../../src/store/migrate.ts'

// A table or another object, in any named schema and any quoting.
const name = '(?:if (?:not )?exists )?(?:only )?(?:public\\.)?"?(\\w+)"?'
const pattern = (text: string) => new RegExp(text.replaceAll('NAME', name))

type Rule = { readonly of: RegExp; readonly says: string }

/** Statements after which a program that knows nothing of them may fail. */
const taking: readonly Rule[] = [
  { of: /^drop (?!index concurrently)/, says: 'drops something' },
  { of: /^(truncate|revoke)\b/, says: 'takes rows or rights away' },
  { of: /^alter .*\brename\b/, says: 'renames something' },
  { of: /^alter table .*\bdrop (?!not null)/, says: 'drops a column, a default or a constraint' },
  { of: /^alter table .*\balter (column )?\w+ (set data )?type\b/, says: 'changes a type' },
  { of: /^alter table .*\bset not null\b/, says: 'requires a value that older programs may not write' },
  {
    of: /^alter table .*\badd (column )?[^,]*\bnot null(?![^,]*\bdefault\b)(?<!default[^,]*)/,
    says: 'adds a column that older programs do not fill',
  },
  {
    of: /^alter table .*\badd (constraint|check|unique|primary|foreign|exclude)\b/,
    says: 'refuses rows that older programs may write',
  },
  { of: /^create unique index\b/, says: 'refuses rows that older programs may write' },
  { of: /^alter type .*\b(drop|rename)\b/, says: 'changes a type' },
]

/** Statements that hold up those who use the table, for as long as it takes to read all of it. */
const blocking: readonly Rule[] = [
  {
    of: /^create (unique )?index (?!concurrently)/,
    says: 'holds up writers: create the index concurrently, in a migration of its own',
  },
  {
    of: /^alter table .*\badd (constraint|check|foreign)\b(?!.*\bnot valid\b)/,
    says: 'holds up everyone: add the constraint as not valid, and validate it in the next migration',
  },
  { of: /^(vacuum full|cluster|reindex (?!.*concurrently)|lock)\b/, says: 'holds up everyone' },
]

export type Verdict = { readonly takes: readonly string[]; readonly blocks: readonly string[] }

/** What a migration takes from programs of the version before, and with what it holds them up. Tables of its own do not count. */
export function judge({ sql }: Pick<Migration, 'sql'>): Verdict {
  const all = statements(sql)
  const own = new Set(all.flatMap((each) => pattern('^create table NAME').exec(each)?.[1] ?? []))
  const tableOf = (each: string) =>
    pattern('^alter table NAME').exec(each)?.[1] ??
    pattern('^create (?:unique )?index (?:concurrently )?(?:if not exists )?\\w+ on NAME').exec(each)?.[1]
  const foreign = all.filter((each) => !own.has(tableOf(each) ?? ''))
  const found = (rules: readonly Rule[]) =>
    foreign.flatMap((each) =>
      rules.filter(({ of }) => of.test(each)).map(({ says }) => `“${each.slice(0, 60)}” ${says}`),
    )
  const stray = isConcurrent({ sql }) ? strayBeside(all) : []
  return { takes: found(taking), blocks: [...found(blocking), ...stray] }
}

/** A migration with a concurrent index runs in no transaction: it must bear being killed and run again. */
function strayBeside(all: readonly string[]): string[] {
  const dropped = new Set(
    all.flatMap((each) => /^drop index concurrently if exists (\w+)$/.exec(each)?.[1] ?? []),
  )
  return all.flatMap((each) => {
    const built = /^create (?:unique )?index concurrently (\w+) on /.exec(each)?.[1]
    if (built !== undefined)
      return dropped.has(built)
        ? []
        : [`${built} must be dropped first, if exists: a killed attempt leaves it invalid`]
    return /^(drop index concurrently if exists|comment on index) /.test(each)
      ? []
      : [`“${each.slice(0, 60)}” belongs in a migration of its own: this one runs in no transaction`]
  })
}

/** The statements in lower case, on one line each, without comments and without what is quoted. */
function statements(sql: string): string[] {
  return sql
    .replaceAll(/\$(\w*)\$.*?\$\1\$/gs, "''")
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/--[^\n]*/g, '')
    .split(';')
    .map((each) => each.replaceAll(/\s+/g, ' ').trim().toLowerCase())
    .filter((each) => each !== '')
}
