import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const source = join(root, 'server/src')
const ignored = new Set(['.git', 'data', 'tmp'])
const madeHere =
  /^node_modules$|^dist$|^dist-|^\.svelte-check$|^\.medusa$|^\.next$|^next-env\.d\.ts$|\.tsbuildinfo$|^shop\.db|^\.venv$|^build$|\.egg-info$|^__pycache__$|^\.mypy_cache$|\.log$/
const files = filesBelow('')

/** Every file of the checkout by its path, except those that are installed or generated there. */
function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.has(path) || madeHere.test(entry.name)) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const everything = [
  'wire.ts',
  'wire',
  'settings',
  'log.ts',
  'log-lines.ts',
  'durable-file.ts',
  'tracing',
  // The version is in package.json.
  'readable-lines.ts',
  'shown-error.ts',
  '..',
  'backup',
  'cli',
  'worker',
  'signer',
  'http',
  'app',
  'store',
  'gates',
  'outbound',
  'postgres',
  'domain',
]

/** The layers that each layer may import. `wire`, the log and the durable file are at the root. */
const mayImport: Record<string, readonly string[]> = {
  domain: ['domain'],
  // What a span is, and which one the running code is part of.
  tracing: ['tracing'],
  store: ['store', 'domain', 'tracing'],
  outbound: ['outbound', 'domain', 'tracing'],
  gates: ['gates', 'domain'],
  postgres: ['postgres', 'domain', 'durable-file.ts'],
  backup: ['backup', 'postgres', 'domain', 'durable-file.ts'],
  app: ['app', 'store', 'outbound', 'gates', 'domain', 'tracing'],
  http: ['http', 'app', 'store', 'domain', 'tracing', 'log.ts'],
  worker: ['worker', 'app', 'store', 'outbound', 'gates', 'domain', 'log.ts'],
  // The only code that opens a seed: only wire may import it.
  signer: ['signer', 'app', 'store', 'gates', 'domain', 'log.ts', 'durable-file.ts'],
  cli: ['cli', 'app', 'store', 'domain', 'settings', 'log.ts', 'shown-error.ts'],
  settings: ['settings', 'domain'],
  'durable-file.ts': [],
  'log.ts': ['shown-error.ts', 'tracing'],
  'readable-lines.ts': ['log-lines.ts'],
  'shown-error.ts': [],
  'log-lines.ts': [],
  wire: everything,
  'wire.ts': everything,
}

type Import = { from: string; to: string }

function imports(): Import[] {
  return files
    .filter((file) => file.startsWith('server/src/') && file.endsWith('.ts'))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return [...text.matchAll(/(?<!')(?:from|import\()\s*'(\.[^']+)'/g)].map(([, target = '']) => ({
        from: relative(source, join(root, file)),
        to: relative(source, join(root, dirname(file), target)),
      }))
    })
}

/** The simulator is one room; each of its parts belongs to a layer. */
const layerOfSimulator: Record<string, string> = { chain: 'store', gate: 'gates', helpers: 'app' }

function layer(path: string): string {
  const [top = '', part = ''] = path.split(sep)
  return top === 'simulator' ? (layerOfSimulator[part] ?? top) : top
}

describe('imports point one way', () => {
  it('every layer is known', () => {
    const layers = new Set(
      files
        .filter((file) => file.startsWith('server/src/'))
        .map((file) => layer(file.slice('server/src/'.length))),
    )
    expect([...layers].filter((name) => !(name in mayImport))).toEqual([])
  })

  it('no file imports from a layer above it or beside it', () => {
    const wrong = imports().filter(({ from, to }) => !mayImport[layer(from)]?.includes(layer(to)))
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
  })

  it('use cases and workers see a gate, never the code behind it', () => {
    const behind = imports().filter(
      ({ from, to }) =>
        ['app', 'worker'].includes(layer(from)) && layer(to) === 'gates' && to !== 'gates/gate.ts',
    )
    expect(behind).toEqual([])
  })

  it('this test actually finds imports', () => {
    expect(imports().length).toBeGreaterThan(100)
  })

  it('no file imports itself through others', () => {
    const graph = Map.groupBy(imports(), ({ from }) => from)
    const done = new Set<string>()
    const circles: string[] = []
    const walk = (file: string, path: readonly string[]): void => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(' → '))
      if (done.has(file) || path.includes(file)) return
      for (const { to } of graph.get(file) ?? []) walk(to, [...path, file])
      done.add(file)
    }
    for (const file of graph.keys()) walk(file, [])
    // A type that two files share in both directions is a cycle too, and just as hard to follow.
    expect(circles).toEqual([])
  })
})

describe('the pages know only the contract of the service', () => {
  const allowed = /^(\.\.?\/|@sluice\/web\/|svelte$|svelte\/|qr$|virtual:client-files$)/
  const pages = files.filter((file) => /^web\/[a-z]+\/src\/.*\.(ts|svelte)$/.test(file))
  const pageImports = pages.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(/(?<!')(?:from|import|import\()\s*'([^'\n]+)'/g)].map(([, target = '']) => ({
      file,
      target,
    }))
  })

  it('a page imports only its own files, the files that pages share, Svelte, and the drawing of QR codes', () => {
    const own = ({ file, target }: { file: string; target: string }) =>
      !target.startsWith('.') || join(dirname(file), target).startsWith(file.split('/').slice(0, 2).join('/'))
    const wrong = pageImports.filter((each) => !allowed.test(each.target) || !own(each))
    expect(wrong).toEqual([])
  })

  it('this test actually finds those imports', () => {
    expect(pageImports.length).toBeGreaterThan(50)
  })
})

describe('the tree is tidy', () => {
  it('files have kebab-case names', () => {
    const named = /^\.?[a-z0-9]+([-.][a-z0-9]+)*$/
    const conventional =
      /^(README|LICENSE|CHANGELOG|CONTRIBUTING|ARCHITECTURE|GLOSSARY)(\.md)?$|^(Dockerfile|Caddyfile|Chart\.yaml|__init__\.py)$|^\d{4}_[a-z0-9_]+\.sql$|^[a-z]+@\.service$/
    // PSR-4 names a file after its class and a folder after its namespace.
    const psr4 =
      /^(clients\/php\/src|examples\/laravel\/app|shops\/woocommerce\/(src|test\/unit))\/([A-Z][A-Za-z0-9]*\/)*[A-Z][A-Za-z0-9]*\.php$/
    // As the frameworks name a migration and the part of a URL that varies.
    const ofFramework =
      /^examples\/(laravel\/database\/migrations\/[0-9a-z_]+\.php|nextjs\/app\/orders\/\[id\]\/)/
    const odd = files.filter(
      (file) =>
        !psr4.test(file) &&
        !ofFramework.test(file) &&
        !file.split('/').every((part) => named.test(part) || conventional.test(part)),
    )
    expect(odd).toEqual([])
  })

  it('only expected entries are at the top', () => {
    const top = new Set(files.map((file) => file.split('/')[0]))
    const expected = [
      '.ci',
      '.dockerignore',
      '.gitignore',
      '.node-version',
      '.npmrc',
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'Dockerfile',
      'LICENSE',
      'README.md',
      'bench',
      'biome.json',
      'clients',
      'contract',
      'deploy',
      'docs',
      'examples',
      'package-lock.json',
      'package.json',
      'redocly.yaml',
      'scripts',
      'sdk',
      'server',
      'shops',
      'tsconfig.json',
      'vitest.config.ts',
      'web',
    ]
    expect([...top].sort()).toEqual(expected.sort())
  })

  it('no file is a drawer for everything: utils, helpers, managers, barrels', () => {
    expect(
      files.filter((file) => /(^|\/)(utils?|helpers?|manager|common|misc|index)\.(ts|js)$/.test(file)),
    ).toEqual([])
  })

  it('no source file has more than 400 lines', () => {
    const long = files
      .filter((file) => /\.(ts|svelte|css|py|php)$/.test(file) && !/[./]generated[./]/.test(file))
      .map((file) => ({ file, lines: readFileSync(join(root, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400)
    expect(long).toEqual([])
  })

  it('no test is skipped, focused or postponed', () => {
    const off = files
      .filter((file) => file.endsWith('.test.ts') && !file.endsWith('tidy.test.ts'))
      .filter((file) =>
        /\b(it|test|describe)\.(skip|only|todo)\b/.test(readFileSync(join(root, file), 'utf8')),
      )
    expect(off).toEqual([])
  })

  it('versions are exact', () => {
    for (const file of files.filter((name) => name.endsWith('package.json'))) {
      const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
        readFileSync(join(root, file), 'utf8'),
      )
      const versions = Object.values({
        ...dependencies,
        ...devDependencies,
        ...optionalDependencies,
      }) as string[]
      // The client that an example shop uses is the one beside it.
      const exact = /^(npm:[a-z-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$|^\*$|^file:\.\.\/\.\.\/sdk$/
      expect(versions.filter((version) => !exact.test(version))).toEqual([])
    }
  })
})
