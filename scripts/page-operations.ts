import { operationsOf } from './contract-operations.ts'
import type { Description } from './mirror-operations.ts'

/** The operations that the pages can call: the internal contract, and those of the public one that need no key. */
export function pageContract(internal: Description, open: Description): Description {
  const base = open.servers?.[0]?.url ?? ''
  const paths = { ...internal.paths }
  for (const [path, item] of Object.entries(open.paths)) {
    const free = Object.entries(item).filter(([, { security }]) => security?.length === 0)
    if (free.length > 0) paths[`${base}${path}`] = Object.fromEntries(free)
  }
  return { ...internal, paths }
}

/**
 * The file with the operations that the pages call: one constant each, so that a page contains only those that it
 * names.
 */
export function pageOperations(contract: Description, open: Description): string {
  const under = contract['x-mirrored']?.under
  if (under === undefined) throw new Error('The internal contract does not say what it mirrors.')
  const operations = operationsOf(contract)
  const mirrored = operations.filter(({ operation }) => operation['x-mirrored'] === true)
  return [
    '// This file is generated from the contract.',
    "import type { Operation } from './ui/src/operation.ts'",
    '',
    ...operations.map(
      ({ method, path, operation: { operationId: id } }) =>
        `export const ${id} = '${method} ${path}' as Operation<'${id}'>`,
    ),
    '',
    '/** The path under which users call the operations of API keys, and the path for the keys. */',
    `export const mirroredUnder = '${under}'`,
    `export const mirroredFrom = '${open.servers?.[0]?.url ?? ''}/v1'`,
    '',
    '/** The operations that both users and keys can call. */',
    'export type MirroredId =',
    ...mirrored.map(({ operation: { operationId } }) => `  | '${operationId}'`),
    '',
  ].join('\n')
}

type Schema = { type?: unknown; enum?: readonly unknown[] }

/** The file with the values of each named list of the contract, in its order. */
export function pageValues(contract: Description): string {
  const lists = Object.entries((contract.components?.schemas ?? {}) as Record<string, Schema>).flatMap(
    ([name, { type, enum: values }]) => (type === 'string' && values !== undefined ? [{ name, values }] : []),
  )
  return [
    '// This file is generated from the contract.',
    `import type { ${lists.map(({ name }) => name).join(', ')} } from './contract.generated.ts'`,
    '',
    ...lists.map(({ name, values }) => {
      const texts = values.map((value) => `'${String(value)}'`).join(', ')
      const constant = `${name.charAt(0).toLowerCase()}${name.slice(1)}Values`
      return `export const ${constant} = [${texts}] as const satisfies readonly ${name}[]`
    }),
    '',
  ].join('\n')
}
