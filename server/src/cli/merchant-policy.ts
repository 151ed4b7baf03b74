import { type Command, InvalidArgumentError, Option } from 'commander'
import type { App } from '../app/app.ts'
import { policyLimit, setPolicy } from '../app/payouts/set-policy.ts'
import { wantedInWords } from '../app/policy/wanted-in-words.ts'
import { type Environment, environments } from '../domain/environment.ts'
import { ServiceError } from '../domain/errors.ts'
import { fiatMinorDigits } from '../domain/fiat.ts'
import { formatFixed } from '../domain/money.ts'
import { type ApprovalKind, approvalKinds, type PayoutPolicy } from '../domain/payout-policy.ts'
import type { PolicyChange } from '../domain/policy-changes.ts'
import { openChangeOf } from '../store/payouts/policy-changes.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId } from './arguments.ts'
import type { Tools } from './tools.ts'

type Whose = { readonly merchant: string; readonly environment: Environment }
type PolicyOptions = Whose & {
  readonly maxPayout?: string
  readonly maxDay?: string
  readonly knownDestinations?: 'on' | 'off'
  readonly approvals?: string
  readonly coolingOff?: number
  readonly approval?: ApprovalKind
  readonly as?: string
}

const longestCoolingOffSeconds = 30 * 24 * 60 * 60

export function addPolicyCommand(merchant: Command, tools: Tools): void {
  withName(ofMerchant(withJson(merchant.command('policy'))))
    .description('show or change a merchant’s payout policy')
    .option('--max-payout <amount>', 'the maximum value of a payout, in the base currency; none for no limit')
    .option('--max-day <amount>', 'the maximum value approved in any 24 hours; none for no limit')
    .addOption(
      new Option('--known-destinations <state>', 'whether payouts may go only to known destinations').choices(
        ['on', 'off'],
      ),
    )
    .addOption(new Option('--approvals <number>', 'how many people must approve').choices(['1', '2']))
    .addOption(
      new Option('--approval <kind>', 'whether approvals are signed with a passkey').choices([
        ...approvalKinds,
      ]),
    )
    .option('--cooling-off <seconds>', 'how long an approved payout waits before it is sent', readSeconds)
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sluice merchant policy --merchant ID --environment live --max-payout 1000.00 --approvals 2\n\nIn the live environment a change that relaxes a rule waits before it applies (signer.weakening_delay_hours).',
    )
    .action((options: PolicyOptions, command: Command) =>
      runOnApp(
        tools,
        command,
        (app) => changePolicy(app, options),
        (policy) => inWords(policy, options.approval),
      ),
    )
}

/** Adds the options that name the merchant and the environment; both are required. */
export function ofMerchant(command: Command): Command {
  return command
    .requiredOption('--merchant <id>', 'the merchant', readId)
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).makeOptionMandatory(),
    )
}

export async function knownMerchant(app: App, id: string) {
  const merchant = await app.store.merchants.find(id)
  if (merchant === null)
    throw new ServiceError('not_found', `There is no merchant ${id}. See: npx sluice merchant list`)
  return merchant
}

async function changePolicy(app: App, options: PolicyOptions) {
  const { baseCurrency } = await knownMerchant(app, options.merchant)
  const owner = { merchantId: options.merchant, environment: options.environment }
  const { maxPayout, maxDay, knownDestinations, approvals, coolingOff, approval } = options
  const limit = (text: string, name: string) =>
    text === 'none' ? null : policyLimit(text, baseCurrency, name)
  const change = (before: PayoutPolicy): PayoutPolicy => ({
    maxPayout: maxPayout === undefined ? before.maxPayout : limit(maxPayout, 'max_payout'),
    maxDay: maxDay === undefined ? before.maxDay : limit(maxDay, 'max_day'),
    onlyKnownDestinations:
      knownDestinations === undefined ? before.onlyKnownDestinations : knownDestinations === 'on',
    approvalsRequired: approvals === undefined ? before.approvalsRequired : Number(approvals),
    coolingOffSeconds: coolingOff ?? before.coolingOffSeconds,
    approval: approval ?? before.approval,
  })
  const changes = [maxPayout, maxDay, knownDestinations, approvals, coolingOff, approval]
  if (changes.some((each) => each !== undefined)) await setPolicy(app, actorFrom(options), owner, change)
  const policy = await app.store.payoutPolicies.find(owner)
  const pending = openChangeOf(await app.store.policyChanges.open(owner), null)
  const shown = (amount: bigint | null) =>
    amount === null ? null : formatFixed(amount, fiatMinorDigits(baseCurrency) ?? 2)
  return {
    merchant_id: options.merchant,
    environment: options.environment,
    base_currency: baseCurrency,
    max_payout: shown(policy.maxPayout),
    max_day: shown(policy.maxDay),
    known_destinations: policy.onlyKnownDestinations,
    approvals: policy.approvalsRequired,
    cooling_off_seconds: policy.coolingOffSeconds,
    approval: policy.approval,
    pending_change: pending === null ? null : pendingView(pending),
  }
}

/** A change that is not in force yet, as commands print it. */
export function pendingView({ id, status, appliesAt, proposedBy, wanted }: PolicyChange) {
  return {
    id,
    status,
    applies_at: appliesAt?.toISOString() ?? null,
    proposed_by: proposedBy,
    text: wantedInWords(wanted),
  }
}

export function pendingInWords({ applies_at: at }: ReturnType<typeof pendingView>): string {
  const when =
    at === null
      ? 'once members have approved it in the dashboard, and then waits'
      : `at ${at.slice(0, 16).replace('T', ' ')} UTC`
  return `Not in force yet: this relaxes the live policy, so it waits, and the approvers are told. It applies ${when}. Until then they can withdraw it in the dashboard.`
}

function inWords(
  policy: Awaited<ReturnType<typeof changePolicy>>,
  askedFor: ApprovalKind | undefined,
): string {
  const limit = (amount: string | null) =>
    amount === null ? 'no limit' : `${amount} ${policy.base_currency}`
  return [
    `Per payout: ${limit(policy.max_payout)}. Per day: ${limit(policy.max_day)}.`,
    `Destinations: ${policy.known_destinations ? 'only known ones' : 'any'}. Approvals: ${policy.approvals}. Cooling-off: ${policy.cooling_off_seconds} s.`,
    ...(policy.approval === 'passkey'
      ? ['Approvals must be signed with a passkey that the signer trusts.']
      : []),
    ...(policy.pending_change === null
      ? []
      : [pendingInWords(policy.pending_change), ...policy.pending_change.text.map((each) => `  ${each}`)]),
    ...(askedFor === 'any' && policy.approval === 'passkey'
      ? ['The signer still requires passkeys. On its machine, run: npx sluice passkey require off']
      : []),
  ].join('\n')
}

function readSeconds(text: string): number {
  const seconds = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN
  if (!(seconds <= longestCoolingOffSeconds))
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${longestCoolingOffSeconds}.`)
  return seconds
}
