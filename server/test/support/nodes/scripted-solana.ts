import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { base58 } from '@scure/base'

// biome-ignore lint/suspicious/noExplicitAny: whatever a node is asked and answers
type Json = any

/** One account of a transaction: its lamports before and after, and whether its address comes from a table. */
export type MadeAccount = {
  readonly address: string
  readonly before?: number
  readonly after?: number
  readonly table?: 'writable' | 'readonly'
}

/** The tokens of one account of a transaction; null before it exists, or after it is closed. */
export type MadeTokens = {
  /** The position of the token account. */
  readonly at: number
  readonly mint: string
  readonly owner: string
  readonly before: bigint | null
  readonly after: bigint | null
  readonly decimals?: number
  /** The owner before, where it changes. */
  readonly ownerBefore?: string
}

export type MadeTransaction = {
  readonly signature: string
  readonly accounts: readonly MadeAccount[]
  readonly tokens: readonly MadeTokens[]
  /** Why it failed; null if it did not. */
  readonly err: unknown
  readonly version: 'legacy' | number
}

type MadeBlock = {
  readonly slot: number
  readonly height: number
  readonly hash: string
  readonly parent: { readonly slot: number; readonly hash: string }
  readonly transactions: readonly MadeTransaction[]
}

/** 32 bytes in base58, always the same for a name: an address, a mint or a hash. */
export function keyOf(name: string): string {
  return base58.encode(createHash('sha256').update(name).digest())
}

let signatures = 0

/** A transaction that succeeded, unless stated otherwise. */
export function madeTransaction(
  given: Partial<MadeTransaction> & Pick<MadeTransaction, 'accounts'>,
): MadeTransaction {
  const signature = base58.encode(createHash('sha512').update(`signature ${signatures++}`).digest())
  return {
    signature,
    tokens: [],
    err: null,
    version: given.accounts.some(({ table }) => table) ? 0 : 'legacy',
    ...given,
  }
}

/** SOL from a stranger to an address. */
export function solTo(address: string, lamports: number, before = 0): MadeTransaction {
  return madeTransaction({
    accounts: [
      { address: keyOf('payer'), before: 10_000_000_000, after: 10_000_000_000 - lamports - 5_000 },
      { address, before, after: before + lamports },
      { address: '11111111111111111111111111111111', before: 1, after: 1 },
    ],
  })
}

/** A transaction in the JSON of a node. */
export function inJson(
  { signature, accounts, tokens, err, version }: MadeTransaction,
  details: 'accounts' | 'full',
): Json {
  const balance = (side: 'before' | 'after') => accounts.map((account) => account[side] ?? 0)
  const held = (side: 'before' | 'after') =>
    tokens.flatMap(({ at, mint, owner, ownerBefore = owner, decimals = 6, ...units }) => {
      const amount = units[side]
      if (amount === null) return []
      const uiAmount = Number(amount) / 10 ** decimals
      return {
        accountIndex: at,
        mint,
        owner: side === 'before' ? ownerBefore : owner,
        programId: 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
        uiTokenAmount: { amount: String(amount), decimals, uiAmount, uiAmountString: String(uiAmount) },
      }
    })
  const meta = {
    err,
    status: err === null ? { Ok: null } : { Err: err },
    fee: 5_000,
    preBalances: balance('before'),
    postBalances: balance('after'),
    preTokenBalances: held('before'),
    postTokenBalances: held('after'),
  }
  const of = (table: MadeAccount['table']) =>
    accounts.filter((each) => each.table === table).map(({ address }) => address)
  if (details === 'accounts') {
    const accountKeys = accounts.map(({ address, table }, at) => ({
      pubkey: address,
      signer: at === 0,
      source: table === undefined ? 'transaction' : 'lookupTable',
      writable: table !== 'readonly',
    }))
    return { transaction: { signatures: [signature], accountKeys }, meta, version }
  }
  const message = {
    accountKeys: of(undefined),
    header: {},
    instructions: [],
    recentBlockhash: keyOf('recent'),
  }
  return {
    transaction: { signatures: [signature], message },
    meta: {
      ...meta,
      loadedAddresses: { writable: of('writable'), readonly: of('readonly') },
      innerInstructions: [],
      logMessages: ['Program log: [1234567890123456789,]'],
      rewards: [],
      computeUnitsConsumed: 150,
    },
    version,
  }
}

/** Solana's JSON-RPC, with Agave's errors, on a chain that does what a test says: it skips slots, forks and forgets. */
export type ScriptedSolana = {
  readonly url: string
  /** How many of the newest blocks are confirmed, but not final. */
  unfinal: number
  /** Whether it lists and names slots a little before it can show their blocks. */
  showsLate: boolean
  readonly balances: Map<string, number>
  /** How often each method was called. */
  readonly calls: Map<string, number>
  /** Makes a block, after some empty slots. */
  mine(transactions?: readonly MadeTransaction[], skip?: number): void
  mineMany(count: number): void
  /** The transactions of the newest blocks. */
  newest(count: number): readonly (readonly MadeTransaction[])[]
  /** Replaces the newest blocks by as many others, or more: their slots are empty from now on. */
  fork(depth: number, transactions?: readonly (readonly MadeTransaction[])[]): void
  /** Forgets all blocks but the newest. */
  prune(kept: number): void
  /** Loses a block as a node does that starts from a newer snapshot: its slot seems empty. */
  lose(height: number): void
  readonly top: { readonly slot: number; readonly height: number; readonly hash: string }
  close(): Promise<void>
}

class Refusal extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export async function startScriptedSolana(genesis = keyOf('genesis')): Promise<ScriptedSolana> {
  const first = { slot: 0, height: 0, hash: genesis, parent: { slot: 0, hash: genesis }, transactions: [] }
  let branch: MadeBlock[] = [first]
  let highestSlot = 0
  let made = 0
  const lost = new Set<number>()

  function mine(transactions: readonly MadeTransaction[] = [], skip = 0): void {
    const parent = branch.at(-1) as MadeBlock
    const slot = highestSlot + 1 + skip
    highestSlot = slot
    branch.push({
      slot,
      height: parent.height + 1,
      hash: keyOf(`block ${genesis} ${slot} ${made++}`),
      parent: { slot: parent.slot, hash: parent.hash },
      transactions,
    })
  }

  const top = ({ commitment }: Json = {}): MadeBlock =>
    branch.at(commitment === 'confirmed' ? -1 : -1 - Math.min(node.unfinal, branch.length - 1)) as MadeBlock

  const answers: Record<string, (params: Json) => Json> = {
    getGenesisHash: () => genesis,
    getHealth: () => 'ok',
    getSlot: ([options]) => top(options).slot,
    getBalance: ([address]) => ({ context: { slot: top().slot }, value: node.balances.get(address) ?? 0 }),
    getBlocks: ([from, to, options]) => {
      if (to - from > 500_000) throw new Refusal(-32_602, 'Slot range too large; max 500000')
      const end = Math.min(to, top(options).slot)
      return branch.map(({ slot }) => slot).filter((slot) => slot >= from && slot <= end && !lost.has(slot))
    },
    getBlock: ([slot, options]) => {
      const oldest = branch[0] as MadeBlock
      const block = lost.has(slot) ? undefined : branch.find((each) => each.slot === slot)
      if (slot > top(options).slot || (node.showsLate && slot === top(options).slot))
        throw new Refusal(-32_004, `Block not available for slot ${slot}`)
      if (slot < oldest.slot)
        throw new Refusal(
          -32_001,
          `Block ${slot} cleaned up, does not exist on node. First available block: ${oldest.slot}`,
        )
      if (block === undefined)
        throw new Refusal(
          -32_007,
          `Slot ${slot} was skipped, or missing due to ledger jump to recent snapshot`,
        )
      const newest = options.maxSupportedTransactionVersion ?? -1
      const tooNew = block.transactions.find(({ version }) => version !== 'legacy' && version > newest)
      if (tooNew !== undefined)
        throw new Refusal(
          -32_015,
          `Transaction version (${tooNew.version}) is not supported by the requesting client.`,
        )
      const { transactionDetails: details } = options
      return {
        blockHeight: block.height,
        blockTime: 1_790_000_000 + block.height,
        blockhash: block.hash,
        parentSlot: block.parent.slot,
        previousBlockhash: block.parent.hash,
        ...(details !== 'none' && { transactions: block.transactions.map((each) => inJson(each, details)) }),
      }
    },
  }

  function answer({ id, method, params = [] }: Json): Json {
    node.calls.set(method, (node.calls.get(method) ?? 0) + 1)
    try {
      const make = answers[method]
      if (make === undefined) throw new Refusal(-32_601, 'Method not found')
      return { jsonrpc: '2.0', id, result: make(params) }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } }
    }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer(body)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  const node: ScriptedSolana = {
    url: `http://127.0.0.1:${port}`,
    unfinal: 0,
    showsLate: false,
    balances: new Map(),
    calls: new Map(),
    mine,
    mineMany(count) {
      for (let left = count; left > 0; left--) mine()
    },
    fork(depth, transactions = []) {
      branch = branch.slice(0, -depth)
      for (let at = 0; at < Math.max(depth, transactions.length); at++) mine(transactions[at])
    },
    newest: (count) => branch.slice(-count).map(({ transactions }) => transactions),
    prune(kept) {
      branch = branch.slice(-kept)
    },
    lose(height) {
      const block = branch.find((each) => each.height === height)
      if (block !== undefined) lost.add(block.slot)
    },
    get top() {
      return top({ commitment: 'confirmed' })
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return node
}
