import { type ChainOutput, type FinalInvoice, readFacts, type SeenPayment } from './facts.ts'
import { requiredConfirmations, type Simulation } from './state.ts'

/**
 * The rules that hold once everything is settled, derived only from the final chains and the contract: the model shares no
 * code with the service. Returns every violation.
 */
export async function judge(simulation: Simulation): Promise<string[]> {
  const facts = await readFacts(simulation.outside.process.db, simulation.chains)
  const wrong: string[] = []
  const payments = new Map(facts.payments.map((payment) => [nameOf(payment), payment]))
  const invoices = new Map(facts.invoices.map((invoice) => [invoice.id, invoice]))
  const balances = new Map<string, bigint>()
  const post = (units: bigint, ...name: string[]) =>
    balances.set(name.join(' '), (balances.get(name.join(' ')) ?? 0n) + units)

  for (const output of facts.outputs) {
    const payment = payments.get(nameOf(output))
    const owner =
      facts.invoices.find(
        (each) => each.staticAddressId === null && each.gateId !== null && isAt(each, output),
      ) ??
      facts.addresses.find((each) => isAt(each, output)) ??
      null
    if (output.address === 'stranger') {
      if (payment !== undefined) wrong.push(`${nameOf(output)} pays a stranger but is recorded as a payment`)
      continue
    }
    if (payment === undefined) {
      if (output.transaction.state !== 'gone')
        wrong.push(`${nameOf(output)} is ${output.transaction.state} but was never seen`)
      continue
    }
    const rightful =
      owner !== null &&
      owner.gateId === output.gateId &&
      owner.currency === output.currency &&
      output.units >= dustOf(output)
    const invoice = payment.invoiceId === null ? null : (invoices.get(payment.invoiceId) ?? null)
    const say = (text: string) => wrong.push(`payment ${payment.id} (${nameOf(output)}): ${text}`)
    if (rightful !== (invoice !== null))
      say(`it belongs to ${owner?.id ?? 'no invoice'} but is recorded for ${invoice?.id}`)
    else if (rightful && (invoice?.staticAddressId ?? invoice?.id) !== owner.id)
      say(`it belongs to ${owner.id} but is recorded for ${invoice?.id}`)
    if (payment.units !== output.units) say(`it is ${output.units} but is recorded as ${payment.units}`)
    if (payment.waiting !== (output.transaction.state === 'waiting'))
      say(`it is ${output.transaction.state}, but waiting is ${payment.waiting}`)
    if (payment.blockHeight !== output.transaction.height)
      say(`it is in block ${output.transaction.height}, not ${payment.blockHeight}`)

    const deep = isDeep(output)
    const times = output.transaction.timesDeep
    if (payment.credits > times)
      say(`it was deep enough ${times} times but credited ${payment.credits} times`)
    // Seen after the window of an invoice that may still be settled: it is not decided yet what it is.
    const waitsForInvoice =
      invoice !== null && isOpen(invoice) && !isInTime(invoice, payment) && payment.credits === 0
    if (payment.credited !== (deep && !waitsForInvoice))
      say(`deep enough: ${deep}, credited: ${payment.credited}`)

    const { currency } = output
    const network = output.gateId.replace('-test', '')
    if (!deep || waitsForInvoice) continue
    post(-output.units, 'chain', network, currency)
    if (invoice === null) post(output.units, 'suspense', network, currency)
    else {
      const fee = (output.units * invoice.feeBps) / 10_000n
      post(output.units - fee, 'available', invoice.merchantId, network, currency)
      post(fee, 'fees', network, currency)
    }
  }

  for (const name of new Set([...balances.keys(), ...facts.balances.keys()])) {
    const [expected, found] = [balances.get(name) ?? 0n, facts.balances.get(name) ?? 0n]
    if (expected !== found) wrong.push(`account ${name}: the chains say ${expected}, the books ${found}`)
  }

  const outputs = new Map(facts.outputs.map((output) => [nameOf(output), output]))
  for (const invoice of facts.invoices) {
    const own = facts.payments
      .filter(({ invoiceId }) => invoiceId === invoice.id)
      .map((payment) => ({ ...payment, output: outputs.get(nameOf(payment)) as ChainOutput }))
    wrong.push(
      ...judgeInvoice(simulation, invoice, own).map(
        (text) => `invoice ${invoice.id} (${invoice.status}): ${text}`,
      ),
    )
  }
  for (const payment of facts.payments)
    if (!outputs.has(nameOf(payment))) wrong.push(`payment ${payment.id} is on no chain`)
  return wrong
}

type Own = SeenPayment & { readonly output: ChainOutput }

/** The contract's table, read backwards: the statuses that the final chain allows. */
function judgeInvoice(simulation: Simulation, invoice: FinalInvoice, payments: readonly Own[]): string[] {
  const wrong: string[] = []
  const { status, amountUnits, paidTold } = invoice
  const sum = (some: readonly Own[]) => some.reduce((total, { units }) => total + units, 0n)
  const credits = payments.reduce((total, each) => total + each.credits, 0)
  const credited = payments.filter((payment) => payment.credited)

  if (paidTold > 1n) wrong.push(`invoice.paid was sent ${paidTold} times`)
  if (invoice.creditsTold !== BigInt(credits))
    wrong.push(`balance.credited was sent ${invoice.creditsTold} times for ${credits} credits`)
  if (invoice.reversalsTold !== BigInt(credits - credited.length))
    wrong.push(`${credits - credited.length} reversals have ${invoice.reversalsTold} events`)
  if ((status === 'cancelled') !== simulation.cancelled.has(invoice.id))
    wrong.push('it is cancelled without a cancel, or the reverse')
  if (status === 'cancelled') {
    if (credited.some(({ late }) => !late)) wrong.push('a deposit after the cancel is not late')
    return wrong
  }
  if (invoice.gateId === null) {
    if ((status === 'expired') !== invoice.windowIsOver)
      wrong.push('no asset was picked, and its status does not match its window')
    return wrong
  }

  const threshold = (amountUnits * (10_000n - invoice.toleranceBps) + 9_999n) / 10_000n
  const deep = payments.filter(({ output }) => isDeep(output))
  const unconfirmed = payments.filter(({ output }) => output.transaction.state !== 'gone' && !isDeep(output))
  const deepInTime = sum(deep.filter((payment) => isInTime(invoice, payment)))
  const settled = sum(credited.filter(({ late }) => !late))
  const hoped = sum(unconfirmed.filter((payment) => isInTime(invoice, payment)))
  const isPaid = status === 'paid' || status === 'overpaid'

  if (isPaid && paidTold !== 1n) wrong.push(`invoice.paid was sent ${paidTold} times`)
  if (isPaid && settled < threshold) wrong.push(`only ${settled} of ${threshold} is confirmed`)
  if (!isPaid && settled >= threshold) wrong.push(`${settled} of ${threshold} is confirmed`)
  if (isPaid !== deepInTime >= threshold) wrong.push(`the chain has ${deepInTime} of ${threshold} in time`)
  if ((status === 'overpaid') !== (isPaid && settled > amountUnits))
    wrong.push(`${settled} of ${amountUnits} is confirmed`)
  if (status === 'expired' && !invoice.windowIsOver) wrong.push('its window is not over')
  if (isOpen(invoice)) {
    const hopeless = deepInTime + hoped < threshold
    if (invoice.windowIsOver && hopeless)
      wrong.push(
        `its window is over and nothing can settle it any more: ${threshold} needed of ${JSON.stringify(
          payments.map(({ output: { units, transaction }, seenAt, credits, late, waiting, blockHeight }) => [
            units,
            transaction.state,
            transaction.height,
            seenAt,
            credits,
            late,
            waiting,
            blockHeight,
          ]),
          (_, value) => (typeof value === 'bigint' ? value.toString() : value),
        )}, until ${invoice.expiresAt?.toISOString()}`,
      )
    if (status === 'underpaid' && deepInTime === 0n) wrong.push('nothing is confirmed')
    if (status === 'pending' && deepInTime > 0n && hopeless)
      wrong.push(`${deepInTime} is confirmed and no more is expected`)
  }

  // If nothing was ever taken back, history excuses nothing: there is only one right answer.
  const isCalm = payments.every(({ output }) => !output.transaction.disturbed)
  if (isCalm) wrong.push(...judgeCalm(invoice, { threshold, deepInTime, hoped, allDeep: sum(deep) }))
  return wrong
}

function judgeCalm(
  { status, amountUnits, windowIsOver }: FinalInvoice,
  sums: { threshold: bigint; deepInTime: bigint; hoped: bigint; allDeep: bigint },
): string[] {
  const { threshold, deepInTime, hoped, allDeep } = sums
  let allowed: string[]
  if (deepInTime >= threshold) allowed = [allDeep > amountUnits ? 'overpaid' : 'paid']
  else if (deepInTime + hoped >= threshold) allowed = deepInTime > 0n ? ['pending', 'underpaid'] : ['pending']
  else if (windowIsOver) allowed = ['expired']
  else allowed = [deepInTime > 0n ? 'underpaid' : 'pending']
  if (allowed.includes(status)) return []
  return [
    `with ${deepInTime} confirmed in time, ${hoped} expected, of ${threshold}, it must be ${allowed.join(' or ')}`,
  ]
}

// A hundredth of the smallest amount, unless the network has a limit of its own.
const dust: Readonly<Record<string, bigint>> = {
  'bitcoin-test BTC': 546n,
  'litecoin-test LTC': 5_460n,
  'ethereum-test ETH': 10n ** 12n,
  'ethereum-test USDC': 10_000n,
  'ethereum-test USDT': 10_000n,
  'bsc-test BNB': 5n * 10n ** 12n,
  'bsc-test USDC': 10n ** 15n,
  'bsc-test USDT': 10n ** 15n,
  'xrp-test XRP': 1_000n,
  'xrp-test RLUSD': 1_000n,
  'xrp-test USDC': 1_000n,
}

function dustOf({ gateId, currency }: ChainOutput): bigint {
  const units = dust[`${gateId} ${currency}`]
  if (units === undefined) throw new Error(`The model does not know ${currency} on ${gateId}.`)
  return units
}

function isDeep({ gateId, transaction, tip }: ChainOutput): boolean {
  const { state, height } = transaction
  const network = gateId.replace('-test', '') as keyof typeof requiredConfirmations
  return state === 'mined' && height !== null && tip - height + 1n >= BigInt(requiredConfirmations[network])
}

function isOpen({ status }: FinalInvoice): boolean {
  return status === 'pending' || status === 'underpaid'
}

function isInTime({ expiresAt }: FinalInvoice, { seenAt }: SeenPayment): boolean {
  return expiresAt === null || seenAt <= expiresAt
}

function isAt(owner: { address: string; tag: string }, output: ChainOutput): boolean {
  return owner.address === output.address && owner.tag === output.tag
}

function nameOf({
  gateId,
  txHash,
  outputIndex,
}: {
  gateId: string
  txHash: string
  outputIndex: number
}): string {
  return `${gateId} ${txHash}:${outputIndex}`
}
