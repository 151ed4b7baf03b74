import { expect } from 'vitest'

const bitcoin = {
  currency: 'BTC',
  network: 'bitcoin',
  destination: 'tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx',
}
const url = 'http://127.0.0.1:9/hook'
const someName = { name: expect.stringMatching(/./) }
const allRelaxed = ['maxPayout', 'onlyKnownDestinations', 'approvalsRequired', 'coolingOffSeconds']
const relaxes = expect.arrayContaining(allRelaxed)

/** What the audit log says besides the code about some operations: what the dashboard makes sentences of. */
export const notedDetails: Readonly<Record<string, object>> = {
  createInvoice: { amount: '0.5', currency: 'BTC' },
  cancelInvoice: { amount: '0.5', currency: 'BTC' },
  createPayout: { amount: '0.01', ...bitcoin },
  importPayouts: { amount: '0.01', ...bitcoin },
  cancelPayout: { amount: '0.01', ...bitcoin },
  createRefund: { amount: '0.01', ...bitcoin },
  approvePayouts: { amount: '0.012', ...bitcoin },
  rejectPayout: { amount: '0.01', ...bitcoin, reason: 'No.' },
  setPolicy: { changed: ['coolingOffSeconds'] },
  approvePolicyChange: { relaxes },
  withdrawPolicyChange: { relaxes },
  updateSettings: { changed: ['name'], name: 'Another name' },
  updateMerchantFees: someName,
  changeMember: { ...someName, role: 'finance' },
  removeMember: someName,
  vouchForPasskey: someName,
  withdrawPasskey: someName,
  testWebhookEndpoint: { url },
  redeliverEvent: { event: expect.stringMatching(/^invoice\./) },
  redeliverEvents: { url, count: expect.any(Number) },
}
