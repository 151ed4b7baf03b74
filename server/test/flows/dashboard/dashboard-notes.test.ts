import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approvePayout } from '../../../src/app/payouts/approve-payout.ts'
import { makeResetLink } from '../../../src/app/people/reset-password.ts'
import { makeInvitationLink } from '../../../src/app/team/invite-member.ts'
import { auditHash } from '../../../src/domain/audit-log.ts'
import { query } from '../../support/database/database.ts'
import {
  DashboardClient,
  dashboardOperations,
  enrolPasskey,
  enrolTotp,
  makePerson,
  originOf,
  SoftwareTotp,
  signedIn,
} from '../../support/people/dashboard-client.ts'
import { openProposal } from '../../support/people/live-team.ts'
import { notedDetails } from '../../support/people/noted-details.ts'
import { connectedShop, shopRequest } from '../../support/people/pairing-shop.ts'
import { viewStories } from '../../support/people/saved-views.ts'
import { SoftwarePasskey } from '../../support/people/software-passkey.ts'
import type { Answer } from '../../support/shop/contract.ts'
import { startTestService, type TestService } from '../../support/shop/service.ts'

let service: TestService
let merchantID: string
let owner: DashboardClient
let operator: DashboardClient
beforeAll(async () => {
  service = await startTestService()
  merchantID = await service.makeMerchant()
  owner = await signedIn(service, await makePerson(service, { merchantId: merchantID, role: 'owner' }))
  operator = await signedIn(service, await makePerson(service, null))
})
afterAll(() => service.stop())
const by = { actor: 'cli:test', name: 'test', ip: null, userAgent: null }
const destination = 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx'
const password = 'a long enough password'
const logo = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64')
const here = () => ({ merchantID, environment: 'test' })
const invoiceBody = { currency: 'BTC', amount: '0.5' }
const payoutBody = { currency: 'BTC', amount: '0.01', destination }

async function member() {
  const login = await makePerson(service, { merchantId: merchantID, role: 'viewer' })
  return { login, client: await signedIn(service, login) }
}
async function withPasskey() {
  const { client } = await member()
  return { client, passkey: await enrolPasskey(service, client) }
}
const data = async (answer: Promise<Answer>) => (await answer).body.data
const make = (id: string, body?: unknown) => data(owner.call(id, { path: here(), body }))
async function paidInvoice() {
  const invoice = await make('createInvoice', invoiceBody)
  const paid = { address: invoice.deposit_address, amount: '0.5', currency: 'BTC' }
  await make('createTestDeposit', paid)
  await make('mineTestBlocks', { network: 'bitcoin', count: 2 })
  return invoice
}
const endpoint = () => make('createWebhookEndpoint', { url: 'http://127.0.0.1:9/hook' })
async function ofEndpoint(operation: string) {
  const { id } = await endpoint()
  return () => owner.call(operation, { path: { ...here(), endpointID: id } })
}
async function invitation() {
  const request = {
    merchantId: merchantID,
    email: `${crypto.randomUUID()}@example.com`,
    role: 'viewer',
  } as const
  const { link } = await makeInvitationLink(service.app, by, { ...request, appointer: null })
  return { token: link.split('#')[1] as string, email: request.email }
}
async function payoutToApprove(amount = '0.01') {
  await paidInvoice()
  const { id } = await make('createPayout', { ...payoutBody, amount })
  const shown = await data(owner.call('getPayoutApproval', { path: { ...here(), payoutID: id } }))
  return { id, hash: shown.hash, total: shown.total }
}
/** A member whose passkey a signer trusts, and another member's passkey, at a merchant of their own. */
async function trusted() {
  const merchantId = await service.makeMerchant()
  const join = async () => {
    const person = await makePerson(service, { merchantId, role: 'owner' })
    const client = await signedIn(service, person)
    return { client, userId: person.userId, passkey: await enrolPasskey(service, client) }
  }
  const ann = await join()
  // The signer trusts the first passkey that it sees: were both there, that could be the other one.
  const pins = () =>
    query(service.database.url, 'select from passkey_pins where merchant_id = $1 and credential_id = $2', [
      merchantId,
      ann.passkey.credentialId,
    ])
  await expect.poll(pins).toHaveLength(1)
  const bob = await join()
  const place = { merchantID: merchantId, environment: 'test' }
  const all = await data(ann.client.call('listMerchantPasskeys', { path: place }))
  const { id } = all.find((each: { user_id: string }) => each.user_id === bob.userId)
  return { ann, path: { ...place, passkeyID: id } }
}

type Call = () => Promise<Answer>
/** For every operation that changes something: prepares what it needs, and returns the one call. */
const stories: Record<string, () => Promise<Call>> = {
  signIn: async () => {
    const { login } = await member()
    const body = { email: login.email, password: login.password }
    return () => new DashboardClient(service).call('signIn', { body })
  },
  showSecondFactor: async () => {
    const { login, client } = await member()
    const { totp } = await enrolTotp(client)
    const half = new DashboardClient(service)
    await half.call('signIn', { body: { email: login.email, password: login.password } })
    const body = { totp: await totp.code() }
    return () => half.call('showSecondFactor', { body })
  },
  signInWithPasskey: async () => {
    const { passkey } = await withPasskey()
    const client = new DashboardClient(service)
    const { options } = await data(client.call('beginPasskeySignIn'))
    return () => client.call('signInWithPasskey', { body: { credential: passkey.get(options) } })
  },
  completePasswordReset: async () => {
    const { login } = await member()
    const { link } = await makeResetLink(service.app, by, login.email, { dropFactors: false })
    const body = { token: link.split('#')[1], password }
    return () => new DashboardClient(service).call('completePasswordReset', { body })
  },
  acceptInvitation: async () => {
    const { token } = await invitation()
    const body = { token, name: 'New', password }
    return () => new DashboardClient(service).call('acceptInvitation', { body })
  },
  signOut: async () => {
    const { client } = await member()
    return () => client.call('signOut')
  },
  stepUp: async () => {
    const { login, client } = await member()
    return () => client.call('stepUp', { body: { password: login.password } })
  },
  stepUpWithPasskey: async () => {
    const { client, passkey } = await withPasskey()
    const { options } = await data(client.call('beginPasskeyStepUp'))
    return () => client.call('stepUpWithPasskey', { body: { credential: passkey.get(options) } })
  },
  changeAccount: async () => () => owner.call('changeAccount', { body: { name: 'Ann' } }),
  changePassword: async () => {
    const { login, client } = await member()
    return () => client.call('changePassword', { body: { current_password: login.password, password } })
  },
  confirmTotp: async () => {
    const { client } = await member()
    const { secret } = await data(client.call('beginTotp'))
    const body = { code: await new SoftwareTotp(secret).code() }
    return () => client.call('confirmTotp', { body })
  },
  removeTotp: async () => {
    const { client } = await member()
    await enrolTotp(client)
    return () => client.call('removeTotp')
  },
  makeRecoveryCodes: async () => {
    const { client } = await withPasskey()
    return () => client.call('makeRecoveryCodes')
  },
  addPasskey: async () => {
    const { client } = await member()
    const { options } = await data(client.call('beginPasskeyEnrolment'))
    const credential = new SoftwarePasskey(originOf(service)).create(options)
    return () => client.call('addPasskey', { body: { name: 'Key', credential } })
  },
  renamePasskey: async () => {
    const { client } = await withPasskey()
    const [{ id }] = await data(client.call('listPasskeys'))
    return () => client.call('renamePasskey', { path: { passkeyID: id }, body: { name: 'Other' } })
  },
  removePasskey: async () => {
    const { client } = await withPasskey()
    const [{ id }] = await data(client.call('listPasskeys'))
    return () => client.call('removePasskey', { path: { passkeyID: id } })
  },
  endSession: async () => {
    const { login, client } = await member()
    await signedIn(service, login)
    const sessions = await data(client.call('listSessions'))
    const { id } = sessions.find((each: { is_this: boolean }) => !each.is_this)
    return () => client.call('endSession', { path: { sessionID: id } })
  },
  endOtherSessions: async () => {
    const { client } = await member()
    return () => client.call('endOtherSessions')
  },
  inviteMember: async () => () =>
    owner.call('inviteMember', { path: { merchantID }, body: { email: 'a@example.com', role: 'viewer' } }),
  renewInvitation: async () => {
    const { email } = await invitation()
    const { invitations } = await data(owner.call('getTeam', { path: { merchantID } }))
    const { id } = invitations.find((each: { email: string }) => each.email === email)
    return () => owner.call('renewInvitation', { path: { merchantID, invitationID: id } })
  },
  withdrawInvitation: async () => {
    const { email } = await invitation()
    const { invitations } = await data(owner.call('getTeam', { path: { merchantID } }))
    const { id } = invitations.find((each: { email: string }) => each.email === email)
    return () => owner.call('withdrawInvitation', { path: { merchantID, invitationID: id } })
  },
  changeMember: async () => {
    const path = { merchantID, userID: (await member()).login.userId }
    return () => owner.call('changeMember', { path, body: { role: 'finance' } })
  },
  removeMember: async () => {
    const path = { merchantID, userID: (await member()).login.userId }
    return () => owner.call('removeMember', { path })
  },
  createInvoice: async () => () => owner.call('createInvoice', { path: here(), body: invoiceBody }),
  cancelInvoice: async () => {
    const { id } = await make('createInvoice', invoiceBody)
    return () => owner.call('cancelInvoice', { path: { ...here(), invoiceID: id } })
  },
  createAddress: async () => () => owner.call('createAddress', { path: here(), body: { currency: 'BTC' } }),
  createPayout: async () => {
    await paidInvoice()
    return () => owner.call('createPayout', { path: here(), body: payoutBody })
  },
  importPayouts: async () => {
    await paidInvoice()
    const body = { payouts: [{ ...payoutBody, idempotency_key: 'imported' }] }
    return () => owner.call('importPayouts', { path: here(), body })
  },
  cancelPayout: async () => {
    await paidInvoice()
    const { id } = await make('createPayout', payoutBody)
    return () => owner.call('cancelPayout', { path: { ...here(), payoutID: id } })
  },
  createRefund: async () => {
    const { id } = await paidInvoice()
    return () => owner.call('createRefund', { path: here(), body: { ...payoutBody, invoice_id: id } })
  },
  createWebhookEndpoint: async () => () =>
    owner.call('createWebhookEndpoint', { path: here(), body: { url: 'http://127.0.0.1:9/hook' } }),
  deleteWebhookEndpoint: () => ofEndpoint('deleteWebhookEndpoint'),
  enableWebhookEndpoint: () => ofEndpoint('enableWebhookEndpoint'),
  rotateWebhookSecret: () => ofEndpoint('rotateWebhookSecret'),
  testWebhookEndpoint: () => ofEndpoint('testWebhookEndpoint'),
  createKey: async () => () =>
    owner.call('createKey', { path: here(), body: { name: 'Shop', permissions: ['events:read'] } }),
  revokeKey: async () => {
    const { details } = await make('createKey', { name: 'Shop', permissions: ['events:read'] })
    return () => owner.call('revokeKey', { path: { ...here(), keyID: details.id } })
  },
  allowShop: async () => () => owner.call('allowShop', { path: here(), body: shopRequest() }),
  disconnectShop: async () => {
    const { id } = await connectedShop(service, owner, here())
    return () => owner.call('disconnectShop', { path: { ...here(), shopID: id } })
  },
  ...viewStories(() => ({ client: owner, merchantID })),
  updateSettings: async () => () =>
    owner.call('updateSettings', { path: { merchantID }, body: { name: 'Another name' } }),
  setLogo: async () => () => owner.call('setLogo', { path: { merchantID }, body: { data: logo } }),
  removeLogo: async () => {
    await owner.call('setLogo', { path: { merchantID }, body: { data: logo } })
    return () => owner.call('removeLogo', { path: { merchantID } })
  },
  createMerchant: async () => () => operator.call('createMerchant', { body: { name: 'New shop' } }),
  updateMerchantFees: async () => {
    const path = { merchantID: await service.makeMerchant() }
    return () => operator.call('updateMerchantFees', { path, body: { fee_bps: 25 } })
  },
  releaseSuspense: async () => {
    const { deposit_address: address } = await make('createInvoice', invoiceBody)
    await make('createTestDeposit', { address, amount: '0.000001', currency: 'BTC' })
    await make('mineTestBlocks', { network: 'bitcoin', count: 2 })
    const [{ id }] = await make('listSuspense')
    const body = { merchant_id: merchantID, note: 'Meant for them.' }
    return () => operator.call('releaseSuspense', { path: { paymentID: id }, body })
  },
  approvePayouts: async () => {
    await approvePayout(service.app, null, (await payoutToApprove()).id, { approver: 'cli:test' })
    const payouts = [await payoutToApprove('0.012')]
    return () => owner.call('approvePayouts', { path: here(), body: { payouts } })
  },
  rejectPayout: async () => {
    const { id } = await payoutToApprove()
    return () => owner.call('rejectPayout', { path: { ...here(), payoutID: id }, body: { reason: 'No.' } })
  },
  setPolicy: async () => {
    const merchantId = await service.makeMerchant()
    const client = await signedIn(service, await makePerson(service, { merchantId, role: 'owner' }))
    const path = { merchantID: merchantId, environment: 'test' }
    const policy = await data(client.call('getPolicy', { path }))
    const { max_payout, max_day, only_known_destinations, approvals_required, approval } = policy
    const body = { max_payout, max_day, only_known_destinations, approvals_required, approval }
    return () => client.call('setPolicy', { path, body: { ...body, cooling_off_seconds: 60 } })
  },
  addDestination: async () => () =>
    owner.call('addDestination', { path: here(), body: { network: 'bitcoin', address: destination } }),
  removeDestination: async () => {
    await make('addDestination', { network: 'bitcoin', address: destination })
    const gone = { network: 'bitcoin', address: destination }
    return () => owner.call('removeDestination', { path: here(), body: gone })
  },
  approvePolicyChange: async () => {
    const { bob, path } = await openProposal(service)
    return () => bob.client.call('approvePolicyChange', { path, body: {} })
  },
  withdrawPolicyChange: async () => {
    const { bob, path } = await openProposal(service)
    return () => bob.client.call('withdrawPolicyChange', { path, body: {} })
  },
  vouchForPasskey: async () => {
    const { ann, path } = await trusted()
    const { options } = await data(ann.client.call('getVouchingChallenge', { path }))
    return () => ann.client.call('vouchForPasskey', { path, body: { assertion: ann.passkey.get(options) } })
  },
  withdrawPasskey: async () => {
    const { ann, path } = await trusted()
    const { options } = await data(ann.client.call('getWithdrawalChallenge', { path }))
    return () => ann.client.call('withdrawPasskey', { path, body: { assertion: ann.passkey.get(options) } })
  },
  redeliverEvent: async () => {
    await make('createInvoice', invoiceBody)
    const [{ id }] = await make('listEvents')
    return () => owner.call('redeliverEvent', { path: { ...here(), eventID: id }, body: {} })
  },
  redeliverEvents: async () => {
    const { id } = await endpoint()
    const range = { created_after: '2026-01-01T00:00:00.000Z', created_before: '2027-01-01T00:00:00.000Z' }
    return () => owner.call('redeliverEvents', { path: here(), body: { endpoint_id: id, ...range } })
  },
}

const challenge = /^get\w+Challenge$|^begin(PasskeySignIn|PasskeyStepUp|PasskeyEnrolment)$/
/** Why these leave no entry; nor does what hands out a challenge, because the answer to that is recorded. */
const unnoted: Record<string, string> = {
  beginTotp: 'The app counts once a code from it was entered, and that is recorded.',
  lookAtInvitation: 'It only reads.',
  checkPayouts: 'It only reads.',
  askPasswordReset: 'Anyone may ask for any address; the new password is recorded.',
}
// What exists in the test environment alone is play.
const changing = dashboardOperations.filter(
  ({ id, method, environment }) =>
    method !== 'GET' && environment === null && !(id in unnoted) && !challenge.test(id),
)

const entries = () =>
  query<{ chain: string; seq: string; actor: string; details: object }>(
    service.database.url,
    'select chain, seq, actor, details from audit_entries order by at, chain, seq',
  )

describe('every change a user makes is recorded once, in their name', () => {
  it.each(changing.map(({ id }) => [id]))('%s', async (id) => {
    const prepare = stories[id]
    expect(prepare, `there is no story for ${id}`).toBeDefined()
    const call = await (prepare as () => Promise<Call>)()
    const before = await entries()
    const answer = await call()
    expect([answer.status < 300, answer.text]).toEqual([true, answer.text])
    const known = new Set(before.map(({ chain, seq }) => `${chain} ${seq}`))
    const added = (await entries()).filter(({ chain, seq }) => !known.has(`${chain} ${seq}`))
    expect(added.map(({ actor }) => actor.split(':')[0])).toEqual(['user'])
    expect(added[0]?.details).toMatchObject(notedDetails[id] ?? {})
  })
})

it('an invoice made with an API key is not in the audit log: it names the key itself', async () => {
  const { key } = await service.makeKey(merchantID)
  const before = (await entries()).length
  const made = await fetch(`${service.url}/api/v1/invoices`, {
    method: 'POST',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: JSON.stringify(invoiceBody),
  })
  expect([made.status, (await entries()).length]).toEqual([201, before])
})

it('every entry’s hash matches its content and covers the entry before it', async () => {
  await owner.call('createInvoice', {
    path: { merchantID: merchantID.toUpperCase(), environment: 'test' },
    body: invoiceBody,
  })
  const rows = await query<Record<string, never>>(
    service.database.url,
    'select * from audit_entries order by chain, seq',
  )
  expect(rows.length).toBeGreaterThan(changing.length)
  for (const row of rows) {
    const { chain, seq, at, environment, action, subject, details, previous_hash, hash } = row
    const by = { actor: row.actor, name: row.actor_name, ip: row.ip, userAgent: row.user_agent } as never
    const entry = { chain, seq: BigInt(seq as never), at, environment, action, subject, details, by } as never
    expect(auditHash(Object.assign(entry, { previousHash: previous_hash }))).toEqual(hash)
  }
})
