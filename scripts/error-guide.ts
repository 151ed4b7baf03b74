/** The guide to errors, made from the catalogue in the contract. */

type Row = { readonly code: string; readonly statuses: string; readonly meaning: string }

/** What a caller does about each code. */
const advice: Readonly<Record<string, string>> = {
  validation_error:
    'Correct what `details` names: each entry is a JSON pointer and what is wrong there. Amounts are strings, unknown fields are refused, and 413 and 415 are about the size and the media type of the body. Only after 408, a request that came too slowly, send it again as it is.',
  invalid_state:
    'Read the resource, and decide by its state. A refund needs an invoice that was credited; test helpers for simulated chains do not work on real nodes.',
  unauthorized:
    'Check the header `X-API-Key`. The answer never says whether the key is missing, mistyped, revoked, or of the other environment.',
  forbidden: 'Use a key with the permission that the message names.',
  step_up_required: 'Only the dashboard gets it, and asks its user for the second factor.',
  second_factor_required: 'Only the dashboard gets it, and asks its user to set up a second factor.',
  password_change_required: 'Only the dashboard gets it, and asks its user for a new password.',
  not_found:
    'Check the id and the key. What belongs to another merchant, or to the other environment, looks as if it did not exist.',
  conflict:
    'Read the resource: it has moved on. An invoice that has seen a payment and a payout that is being sent cannot be cancelled. For a refund it also means that the idempotency key was used with another body.',
  idempotency_key_mismatch:
    'Use a new key for a new request. If it was meant as a repetition, send exactly the same body: nothing in it may depend on the time.',
  amount_too_small:
    'Use a larger amount, or another network: `min_amount` of `GET /v1/currencies` is the least.',
  insufficient_balance:
    'Wait for deposits, or pay less. Amount and fees must be covered by `available` of that network, which `networks` of `GET /v1/balances` shows.',
  invalid_destination:
    'Ask the recipient for the address again. `details` says what is wrong: a mistyped address, one of another network, a missing tag, a contract, or an address of this service.',
  refund_exceeds_credited:
    'Refund at most what the invoice was credited and not refunded yet, in the same asset. A reorganisation may have lowered it.',
  webhook_target_refused:
    'Use an https URL on a public host. For a host in a private network the operator has to allow it.',
  rate_limited: 'Wait for `Retry-After` seconds. Receive webhooks instead of polling.',
  internal_error:
    'Send it again, with the same idempotency key. If it stays, send the request id to the operator: details are in the log only.',
  service_unavailable: 'Send it again, with the same idempotency key and growing pauses.',
  gate_offline:
    'Offer the payer another network, or send it again later. `status` of `GET /v1/currencies` shows which networks are online.',
  rate_unavailable: 'Send it again later, or set the price in crypto, which needs no rate.',
}

/** Codes whose request may be sent again as it is. */
const isRetried = ({ statuses }: Row) => /\b(429|5\d\d)\b/.test(statuses)

/** The guide as Markdown, from the description of the schema `ErrorCode`. */
export function errorGuide({
  description,
  codes,
}: {
  description: string
  codes: readonly string[]
}): string {
  const rows = [...description.matchAll(/^\| `(\w+)` \| ([\d, ]+) \| (.+) \|$/gm)].map(
    ([, code = '', statuses = '', meaning = '']): Row => ({ code, statuses, meaning }),
  )
  const named = rows.map(({ code }) => code)
  for (const list of [named, Object.keys(advice)])
    if ([...list].sort().join() !== [...codes].sort().join())
      throw new Error(`The codes of errors are ${codes.join(', ')}; these are described: ${list.join(', ')}.`)
  return `# Errors

Every error has the same form:

\`\`\`json
{
  "error": {
    "code": "validation_error",
    "message": "The request is not valid. Correct the problems listed in details.",
    "details": ["/amount: must be greater than 0"]
  },
  "meta": { "request_id": "req_4xq2n8m0vkj6t3b9r5w1c7hzdf" }
}
\`\`\`

Decide by \`code\`: codes do not change, messages may. \`details\` is there where several things can be wrong. Keep the request id, which is also the header
\`X-Request-Id\`: it finds the request in the log.

**Send again** only requests that got no answer, and codes marked with “yes”: with growing pauses, not before \`Retry-After\`, and with the same idempotency
key, so that nothing happens twice. All others fail again until you change something.

| code | status | send again |
| ---- | ------ | ---------- |
${rows.map((row) => `| [\`${row.code}\`](#${row.code}) | ${row.statuses} | ${isRetried(row) ? 'yes' : 'no'} |`).join('\n')}

${rows.map((row) => `## ${row.code}\n\n**${row.statuses}** ${row.meaning}\n\n${advice[row.code]}`).join('\n\n')}
`
}
