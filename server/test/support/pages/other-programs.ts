import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { dockerStages, read, readYaml } from '../deploy-files.ts'
import { root } from './code-blocks.ts'
import { refusalOf } from './sluice-command.ts'

type Check = (words: readonly string[]) => Promise<string | null> | string | null

/** What we checked by hand of programs that a test machine does not have. Another option must be looked up first. */
const lookedUp: Readonly<Record<string, readonly string[]>> = {
  'docker build': ['--target', '--tag'],
  'docker compose up': ['-f', '-d'],
  'docker compose run': ['-f', '--rm', '-it'],
  'docker compose exec': ['-f'],
  'kubectl create secret generic': ['--from-file'],
  'kubectl exec': ['-it'],
  'helm install': ['--values'],
  'helm upgrade': ['--values'],
  'cast mktx': ['--ledger', '--chain', '--nonce', '--gas-limit', '--gas-price', '--priority-gas-price'],
}
const services = Object.keys(readYaml('deploy/compose/compose.yaml').services)
const chart = globSync('deploy/helm/sluice/**/*.{yaml,tpl}', { cwd: root }).map(read).join('\n')
const units = globSync('*.{service,timer}', { cwd: join(root, 'deploy/systemd') }).map((name) =>
  name.replace('.service', ''),
)
const scripts = Object.keys(JSON.parse(read('package.json')).scripts)
const program = /^\/opt\/sluice\/(.*)$/

/** For each program that a page may call: what is wrong with the words, or null. */
export const programs: Readonly<Record<string, Check>> = {
  npx: (words) =>
    words[1] === 'sluice'
      ? refusalOf(words.slice(2))
      : /^npx sluice-(medusa|vendure) connect --url \S+ --webhook \S+$/.test(words.join(' '))
        ? null
        : `npx ${words[1]} is not of this project`,
  npm: ([, verb = '', name = '', ...rest]) => {
    if (verb === 'ci') return name === '' || /^--(omit|include)=dev$/.test(name) ? null : `npm ci ${name}`
    if (verb === 'start' || verb === 'test') return scripts.includes(verb) ? null : verb
    if (verb === 'install' && [name, ...rest].every((each) => /^\.\/sluice-[\w.-]+\.tgz$/.test(each)))
      return null
    if (verb !== 'run') return `npm ${verb}`
    if (!scripts.includes(name)) return `no script ${name}`
    return rest.length === 0 || rest[0] === '--' || !rest[0]?.startsWith('-') ? null : `npm run: ${rest[0]}`
  },
  node: ([, file = '', ...rest]) => (file === 'server/bin/sluice.mjs' ? refusalOf(rest) : missing(file)),
  docker: (words) => {
    const known = fromTable(words)
    if (known !== null) return known
    if (words[1] === 'build') {
      const stage = words[words.indexOf('--target') + 1] ?? ''
      return dockerStages().has(stage) ? null : `no stage ${stage}`
    }
    const files = words.flatMap((word, at) => (words[at - 1] === '-f' ? [`deploy/compose/${word}`] : []))
    const lost = files.map(missing).find((each) => each !== null)
    if (lost !== undefined) return lost
    const at = words.findIndex((word, n) => n > words.indexOf('run') && services.includes(word))
    if (!words.includes('run')) return null
    return at < 0 ? 'no such service' : refusalOf(words.slice(at + 1))
  },
  kubectl: (words) => {
    const known = fromTable(words)
    if (known !== null) return known
    const at = words.findIndex((word) => program.test(word))
    if (at >= 0) return missing(program.exec(words[at] ?? '')?.[1] ?? '') ?? refusalOf(words.slice(at + 1))
    const keys = words.flatMap((word) => /^--from-file=(.*)$/.exec(word)?.[1] ?? [])
    return [words[4] ?? '', ...keys].find((name) => words.includes('secret') && !chart.includes(name)) ?? null
  },
  helm: (words) => fromTable(words) ?? missing(words.find((word) => word.startsWith('deploy/')) ?? ''),
  cast: fromTable,
  systemctl: ([, verb = '', ...rest]) => {
    const verbs = ['daemon-reload', 'enable', 'start', 'stop', 'status', 'edit']
    if (!verbs.includes(verb)) return `systemctl ${verb}`
    const names = rest.filter((word) => word !== '--now')
    const unknown = names.filter((name) => !units.some((unit) => matches(name, unit)))
    return unknown.length > 0 ? `no unit ${unknown}` : null
  },
  'systemd-run': (words) => {
    const at = words.findIndex((word) => word.endsWith('sluice.mjs'))
    const options = words.slice(1, at).filter((word) => word.startsWith('-'))
    const known = /^(--pipe|--wait|--unit=[\w-]+|-p)$/
    const unknown = options.find((option) => !known.test(option))
    if (unknown !== undefined) return unknown
    return missing(program.exec(words[at] ?? '')?.[1] ?? '') ?? refusalOf(words.slice(at + 1))
  },
  sha256sum: (words) => offered('sha256sum', ['--help'], words),
  tar: (words) => (words[1] === '-xzf' ? null : `tar ${words[1]}`),
  useradd: (words) => offered('/usr/sbin/useradd', ['--help'], words),
  openssl: (words) => (/^rand -hex \d+$/.test(words.slice(1).join(' ')) ? null : words.join(' ')),
  pg_dump: (words) => offered('pg_dump', ['--help'], words),
  curl: (words) => offered('curl', ['--help', 'all'], words),
  './prepare.sh': () => missing('deploy/compose/prepare.sh'),
  cp: ([, from = '']) => (globSync(from, { cwd: root }).length > 0 ? null : `${from} matches no file`),
  ...Object.fromEntries(
    ['cat', 'cd', 'date', 'echo', 'export', 'git', 'ln', 'printf', 'sed', 'umask'].map((name) => [
      name,
      () => null,
    ]),
  ),
}

function matches(name: string, unit: string): boolean {
  return name === unit || (unit.endsWith('@') && name.startsWith(unit)) || name === 'sluice*'
}

function missing(path: string): string | null {
  return path !== '' && existsSync(join(root, path)) ? null : `${path} does not exist`
}

/** The longest entry whose words all occur in this order must have every option. */
function fromTable(words: readonly string[]): string | null {
  const plain = words.filter((word, at) => !word.startsWith('-') && words[at - 1] !== '-f').join(' ')
  const [name, known] = Object.entries(lookedUp).find(([each]) => plain.startsWith(each)) ?? []
  if (name === undefined) return `${plain} is not looked up`
  const last = name.split(' ').at(-1) ?? ''
  // What follows the name of a service or `--` is for the program within.
  const end = words.findIndex(
    (word, at) => word === '--' || (at > words.indexOf(last) && services.includes(word)),
  )
  const options = words.slice(0, end < 0 ? words.length : end).filter((word) => /^--?[a-z]/.test(word))
  return options.find((option) => !known?.includes(option.replace(/=.*/, ''))) ?? null
}

const helps = new Map<string, string>()

/** Whether the program's own help has these options. */
function offered(file: string, ask: readonly string[], words: readonly string[]): string | null {
  const help = helps.get(file) ?? execFileSync(file, ask, { encoding: 'utf8' })
  helps.set(file, help)
  const options = words.slice(1).filter((word) => /^--?[a-zA-Z]/.test(word))
  const names = options.flatMap((option) =>
    option.startsWith('--') || option.length === 2
      ? [option]
      : [...option.slice(1)].map((each) => `-${each}`),
  )
  return names.find((option) => !new RegExp(`(^|[\\s,])${option}(?![\\w-])`, 'm').test(help)) ?? null
}
