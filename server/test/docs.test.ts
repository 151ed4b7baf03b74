import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const ignored = new Set(['.git', 'data', 'tmp', 'node_modules', 'dist', '.svelte-check', '.next'])
const files = filesBelow('')
const pages = files.filter((file) => file.endsWith('.md'))

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (ignored.has(entry.name) || entry.name.startsWith('dist-')) return []
    return entry.isDirectory() ? filesBelow(path) : [path]
  })
}

const read = (file: string) => readFileSync(join(root, file), 'utf8')

/** A page without its code blocks, in which `#` is not a heading and `[` not a link. */
const prose = (file: string) => read(file).replace(/^ *```.*?^ *```/gms, '')

describe('the glossary', () => {
  // An entry may define several words, and may say in brackets which sense it means: `position (of an event)`.
  const words = prose('docs/GLOSSARY.md')
    .split('\n')
    .filter((line) => /^\| /.test(line) && !/^\| (-|word )/.test(line))
    .flatMap((line) => (line.split('|')[1] ?? '').split(','))
    .map((word) => word.replace(/\(.*?\)/g, '').trim())

  it('defines each word once', () => {
    expect(words.filter((word, at) => words.indexOf(word) !== at)).toEqual([])
  })

  it('is actually parsed by this test', () => {
    expect(words.length).toBeGreaterThan(100)
    expect(words).toContain('nonce')
  })
})

describe('what a merge leaves behind', () => {
  // A formatter may have taken the marks for quotes and headings.
  const marks = /^ *(<{7}|={7}|>{7}|(> ){6}>)( |$)/m

  it('is on no page', () => {
    expect(pages.filter((page) => marks.test(prose(page)))).toEqual([])
  })

  it.each(['<<<<<<< HEAD', '  =======', '>>>>>>> main', '> > > > > > > Stashed changes'])(
    'is found: %s',
    (mark) => {
      expect(`a line\n${mark}\n`).toMatch(marks)
    },
  )
})

describe('links between pages', () => {
  // As GitHub generates them: lower case, no punctuation, hyphens for spaces.
  const anchorsOf = (file: string) =>
    [...prose(file).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = '']) => ({ page, target }))
      .filter(({ target }) => !/^[a-z]+:/.test(target)),
  )

  it('lead to a file and a heading that exist', () => {
    const broken = links.filter(({ page, target }) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : join(dirname(page), path)
      if (!existsSync(join(root, file))) return true
      return anchor !== undefined && !anchorsOf(file).includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('are actually found by this test', () => {
    expect(links.length).toBeGreaterThan(100)
  })
})

describe('paths that pages name', () => {
  const named = pages.flatMap((page) =>
    [
      ...read(page).matchAll(/`((?:server|web|sdk|clients|scripts|docs|contract|bench|\.ci)\/[\w./-]+)`/g),
    ].map(([, path = '']) => ({ page, path })),
  )

  it('exist', () => {
    // Builds are not in a clean checkout, and a migration to be written has no number yet.
    const kept = named.filter(({ path }) => !/\/dist(\/|$)|NNNN/.test(path))
    expect(kept.filter(({ path }) => !existsSync(join(root, path)))).toEqual([])
  })

  it('are actually found by this test', () => {
    expect(named.length).toBeGreaterThan(50)
  })
})

describe('the page on the architecture', () => {
  const page = read('docs/ARCHITECTURE.md')
  const named = (text: string) =>
    new Set([...text.matchAll(/`([a-z0-9/-]+\.ts)`/g)].map(([, file = '']) => file))
  const between = (start: string, end: string) => page.slice(page.indexOf(start), page.indexOf(end))

  it('is short enough to read', () => {
    expect(page.split(/\s+/).length).toBeLessThan(2_500)
  })

  it('names files that exist', () => {
    const files = [...named(page)].filter((file) => file.includes('/') && !file.startsWith('server/'))
    expect(files.length).toBeGreaterThan(50)
    expect(files.filter((file) => !existsSync(join(root, 'server/src', file)))).toEqual([])
  })

  it('counts the files that each walk-through names', () => {
    const invoice = named(between('**A new invoice**', '**A payout on Ethereum**'))
    const payout = named(between('**A payout on Ethereum**', '## The states of a spend'))
    const door = [...invoice].filter((file) => /^http\/[^/]+\.ts|^http\/rate-limit|keyring/.test(file))
    expect(page).toContain(`is ${invoice.size} files to read`)
    expect(page).toContain(`is ${payout.size + door.length} files to read`)
  })
})

describe('one word a thing', () => {
  // The glossary defines a trade term for each of these: environment, simulate, native currency, sweep, consolidate, nonce,
  // job, bundle, mail; a network with accounts; an EVM network.
  const oldPhrases = [
    /\bworlds?\b/i,
    /\brehears/i,
    /\bnetwork['’]s\s+own\s+coin/i,
    /\bgather(s|ed|ing)?\s+(the\s+)?(deposits?|coins?|tokens?)\b/i,
    /\b(deposits?|coins?|tokens?)\s+(is|are|was|were)\s+gathered\b/i,
    /\bjoin(s|ed|ing)?\s+((the|our|small|smallest)\s+)*coins?\b/i,
    /\b(account|hot\s+wallet)['’]s\s+numbers?\b/i,
    /\bnumber\s+that\s+(nobody|is\s+free)\b/i,
    /\bnetworks?\s+of\s+(accounts|programs)\b/i,
    /\bEthereum\s+and\s+its\s+(kin|like)\b/i,
    /\bpieces?\s+of\s+work\b/i,
    /\bput\s+together\b/i,
    /\b(somebody|anybody|everybody)\b/i,
  ]
  const oldNames = [
    /\bworlds?\b/,
    /\brehears/,
    /\bown-coin/,
    /\b(account|next|first|free|take|raise)-numbers?\b/,
    /\b(join-coins?|coin-join(s|ing)?|plan-join|give-up-join|join-(policy|costs|plan|attempts))\b/,
    /\bgather-(supplies|deposits|coins)\b/,
    /\b(do-work|chain-work|claimed-work|work-kind|usual-work|transfer-work|on-work-failed)\b/,
    /\btry-(payouts?|sweeps?|transfers?)\b/,
  ]

  it('no page uses an old word', () => {
    const held = pages
    const found = held.flatMap((page) =>
      oldPhrases.flatMap((phrase) => {
        const [text] = phrase.exec(read(page)) ?? []
        return text === undefined ? [] : [`${page}: ${text}`]
      }),
    )
    expect(found).toEqual([])
  })

  it('no identifier and no file name uses an old word', () => {
    const code = files.filter(
      (file) => /\.(ts|svelte|sql|mjs)$/.test(file) && !/[/]docs\.test\.ts$/.test(file),
    )
    const found = code.flatMap((file) =>
      [file, ...namesIn(read(file))]
        .filter((name) => oldNames.some((old) => old.test(kebab(name))))
        .map((name) => `${file}: ${name}`),
    )
    expect(found).toEqual([])
  })

  it('an old word is found in every naming style', () => {
    const names = namesIn('const accountNumber = row.account_number; await joinCoins(openWorld)')
    expect(names.filter((name) => oldNames.some((old) => old.test(kebab(name))))).toEqual([
      'accountNumber',
      'account_number',
      'joinCoins',
      'openWorld',
    ])
  })
})

/** Every distinct name of more than one word. A single word could just as well occur in a comment or a message. */
function namesIn(text: string): string[] {
  const names = new Set(text.match(/[A-Za-z_$][\w$]*/g))
  return [...names].filter((name) => /[a-z0-9][A-Z]|\w_\w/.test(name))
}

function kebab(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}
