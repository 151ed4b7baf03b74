import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'

export const root = fileURLToPath(new URL('../../../', import.meta.url))
export const read = (path: string) => readFileSync(`${root}${path}`, 'utf8')
export const readYaml = (path: string) => parse(read(path), { merge: true })

/** The names of settings, as the page on settings lists them in its first table and the paragraph below it. */
export const settingNames = new Set(
  [...read('docs/operating/settings.md').matchAll(/`([A-Z][A-Z_]+)[`=]/g)].map(([, name = '']) => name),
)

/** Settings that hold a secret themselves: these files may only name a file with it. */
export const secretSettings =
  /^(DATABASE_URL|DATABASE_MIGRATION_URL|REDIS_URL|SMTP_URL|OTEL_EXPORTER_OTLP_HEADERS|SLUICE_REPLICA_URL|SLUICE_SECRET_KEY|SLUICE_WALLET_PASSPHRASE)$/

export type DockerStage = { readonly name: string; readonly lines: readonly (readonly [string, string])[] }

/** The stages of the Dockerfile: each instruction with its arguments. */
export function dockerStages(): Map<string, DockerStage> {
  const stages = new Map<string, DockerStage>()
  let lines: (readonly [string, string])[] = []
  for (const line of read('Dockerfile').split('\n')) {
    if (/^(#|$)/.test(line)) continue
    const [, word = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? []
    if (word === '') throw new Error(`The Dockerfile has a line that is not read: ${line}`)
    if (word === 'FROM') {
      lines = []
      const name = / AS (\w+)$/.exec(rest)?.[1] ?? ''
      stages.set(name, { name, lines })
    }
    lines.push([word, rest])
  }
  return stages
}
