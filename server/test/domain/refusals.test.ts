import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { reasonsIn } from '../../src/domain/reasons/reasons.ts'

const root = join(import.meta.dirname, '../../src')
// What people of the dashboard can cause. The rest is of the command line, of payers and of programs.
const folders = [
  'app/gates',
  'app/invoices',
  'app/keys',
  'app/merchants',
  'app/payouts',
  'app/people',
  'app/policy',
  'app/rates',
  'app/refunds',
  'app/static-addresses',
  'app/suspense',
  'app/team',
  'app/webhooks',
  'domain',
  'http/dashboard',
  'http/resources',
]
// Only programs and payers meet them.
const elsewhere = [
  /See: npx sluice/,
  /with the e-mail address \$/,
  /priced in \$/,
  /asset (can no longer|was picked)/,
  /This key lacks/,
  /An assertion needs/,
]
// Their parts are chosen where they are thrown; below is what they can be.
const composed = [/^\$\{stale\}/, /\$\{warning\.message\}/, /\$\{length === 1/, /\?\? 'any currency'/]
const compositions = [
  'The policy was tightened after it was proposed. Propose the change again.',
  'Approving this payout takes a second factor shown for it alone.',
  'This policy needs 2 people whose passkeys the signer trusts, and there are 0: no payout could be approved. First have another approver add a passkey, and vouch for it under Payout policy.',
  'There is no usable exchange rate between any currency and EUR right now. Try again later, or create the invoice with a crypto amount.',
  'There is no usable exchange rate between BTC and EUR right now. Your test clock was moved since the rates were read, so they are too old. Try again in a minute, when they have been read again.',
]

/** The messages written where a refusal is thrown, with `1 USD` or `x1` for what is filled in. */
function thrown(): { where: string; text: string; filled: string[] }[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
      .flatMap((entry) => {
        const path = join(entry.parentPath, entry.name)
        return literals(readFileSync(path, 'utf8')).map((text) => ({
          where: relative(root, path),
          text,
          filled: ['x1', '1 USD', 'x1 on x2'].map((value) => text.replace(/\$\{[^}]*\}/g, value)),
        }))
      }),
  )
}

function literals(source: string): string[] {
  const pattern =
    /new ServiceError\(\s*'\w+',\s*((?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"[^"]*")(?:\s*\+\s*(?:'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`))*)/g
  return [...source.matchAll(pattern)].map(([, text = '']) =>
    [...text.matchAll(/'((?:[^'\\]|\\.)*)'|`((?:[^`\\]|\\.)*)`|"([^"]*)"/g)]
      .map(([, one, two, three]) => (one ?? two ?? three ?? '').replace(/\\(.)/g, '$1'))
      .join(''),
  )
}

it('every refusal that people of the dashboard can cause is in the catalogue, so that it has words in each language', () => {
  const all = thrown().filter(
    ({ text }) => ![...elsewhere, ...composed].some((pattern) => pattern.test(text)),
  )
  expect(all.length).toBeGreaterThan(80)
  const strange = all.filter(
    ({ filled }) => !filled.some((text) => reasonsIn(text).every(({ code }) => code !== 'other')),
  )
  expect(strange.map(({ where, text }) => `${where}: ${text}`)).toEqual([])
  for (const text of compositions) expect(reasonsIn(text).map(({ code }) => code)).not.toContain('other')
})
