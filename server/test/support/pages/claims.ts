import { type Block, codeOfPages } from './code-blocks.ts'

/**
 * Which test checks which code of the pages, and how. A test asks for its blocks by `blocksOf`, so a new block of the kind
 * reaches it; a block of no kind fails `server/test/code-blocks.test.ts`. A kind is a rule, never a list of blocks.
 */
type Claim = { readonly how: string; readonly test: string; covers(block: Block): boolean }

const onPage = (pattern: RegExp, more: (block: Block) => boolean = () => true) => ({
  covers: (block: Block) => pattern.test(block.page) && more(block),
})
const isTranscript = ({ text }: Block) => text.startsWith('$ npx sluice ')
const isStream = ({ text }: Block) => text.startsWith('$ curl -N ')
const isWalk = ({ text }: Block) => /^(KEY=|API=|api |PAYOUT=)/m.test(text)
const isFrame = ({ language }: Block) => language === 'html'
const isDrawing = ({ language, text }: Block) =>
  language === '' && /[│─━▶▼←→]/.test(text) && !/^\$ /.test(text)
const isCommand = (block: Block) =>
  block.language === 'sh' || (block.language === '' && /^(npx|npm) /.test(block.text))
const isCurl = ({ text }: Block) => /^curl -s "\$SLUICE/.test(text)

const isExample = ({ page, text }: Block) => page.startsWith('examples/') && !/^npx sluice /.test(text)

const unit = 'server/test/code-blocks.test.ts'
const printed = 'server/test/flows/api/quickstart.test.ts'

export const claims = {
  'quick starts': {
    how: 'run as printed, against a service',
    test: printed,
    ...onPage(/^docs\/quickstart\//),
  },
  'client in TypeScript': {
    how: 'run and type-checked as a package of its own',
    test: 'sdk/test/consumers/readme.test.ts',
    ...onPage(/^sdk\/README\.md$/),
  },
  'client in Python': {
    how: 'run as one program, against a service',
    test: printed,
    ...onPage(/^clients\/python\/README\.md$/),
  },
  'client in PHP': {
    how: 'run as one program, against a service',
    test: printed,
    ...onPage(/^clients\/php\/README\.md$/),
  },
  'example shops': {
    how: 'the shop is started as printed, sells and refuses; what installs from elsewhere is compared with its files',
    test: 'server/test/flows/webhooks/example-shops.test.ts',
    covers: (block) => isExample(block),
  },
  'first invoice': { how: 'run as printed', test: printed, ...onPage(/^README\.md$/, isWalk) },
  'walk of a payout': {
    how: 'run line by line, its placeholders filled from the answers',
    test: printed,
    ...onPage(/^docs\/payouts\.md$/, isWalk),
  },
  'calls by curl': {
    how: 'run as printed',
    test: printed,
    covers: isCurl,
  },
  'event stream': { how: 'run; the answer has the printed shape', test: printed, covers: isStream },
  'error answer': {
    how: 'what the service answers',
    test: printed,
    ...onPage(/^docs\/guides\/errors\.md$/, ({ language }) => language === 'json'),
  },
  'statements in SQL': {
    how: 'run in PostgreSQL, and rolled back',
    test: printed,
    covers: ({ language }) => language === 'sql',
  },
  transcripts: {
    how: 'the command prints the same lines, but for ids and times',
    test: 'server/test/processes/listen.test.ts',
    covers: isTranscript,
  },
  frame: {
    how: 'put into a page of a browser',
    test: 'server/test/browser/checkout-live.test.ts',
    ...onPage(/^docs\/checkout\.md$/, isFrame),
  },
  commands: {
    how: 'syntax, programs, options, settings and files; Sluice’s own by its own parser',
    test: unit,
    covers: (block) =>
      isCommand(block) &&
      !isCurl(block) &&
      !isWalk(block) &&
      !isExample(block) &&
      !/^(docs\/quickstart|sdk|clients)\//.test(block.page),
  },
  settings: {
    how: 'read as the configuration file',
    test: unit,
    ...onPage(/^docs\/operating\//, ({ language }) => language === 'json'),
  },
  'settings of a shop': {
    how: 'TypeScript, and the package knows each setting',
    test: unit,
    ...onPage(/^shops\//, ({ language }) => language === 'ts'),
  },
  'settings of a node': {
    how: 'the node knows each option',
    test: unit,
    ...onPage(/^docs\/operating\/bitcoin\.md$/, ({ language }) => language === 'ini'),
  },
  'line of pg_hba.conf': {
    how: 'the columns that PostgreSQL documents, and the role above it',
    test: unit,
    covers: ({ language, text }) => language === '' && /^host(ssl)? /.test(text),
  },
  'signed request': {
    how: 'the headers and fields that the contract has',
    test: unit,
    covers: ({ language }) => language === 'http',
  },
  'payment URI': {
    how: 'the parameters that the gate writes',
    test: unit,
    covers: ({ language, text }) => language === '' && text.startsWith('solana:'),
  },
  layout: {
    how: 'each folder exists',
    test: unit,
    ...onPage(/^docs\/ARCHITECTURE\.md$/, ({ text }) => text.startsWith('contract/ ')),
  },
  drawings: { how: 'holds no command; its states exist', test: unit, covers: isDrawing },
} satisfies Record<string, Claim>

export type Kind = keyof typeof claims
export const kinds = Object.keys(claims) as Kind[]

let code: ReturnType<typeof codeOfPages> | undefined
export const allCode = () => (code ??= codeOfPages())

export const kindsOf = (block: Block): Kind[] => kinds.filter((kind) => claims[kind].covers(block))

/** The blocks of a kind, of one page or of all. */
export const blocksOf = (kind: Kind, page?: string): Block[] =>
  allCode().blocks.filter(
    (block) => claims[kind].covers(block) && (page === undefined || block.page === page),
  )
