/**
 * Why a webhook was not accepted:
 *
 * | reason | what to do |
 * |---|---|
 * | `missing_header` | Pass all headers of the request; this is no webhook if it came without them. |
 * | `malformed_header` | Refuse it: Sluice sends no such header. |
 * | `timestamp_too_old` | Refuse it: it may be a replay. If all are too old, set your clock. |
 * | `timestamp_too_new` | Refuse it. If all are too new, set your clock. |
 * | `wrong_signature` | Check that the secret is this endpoint's, and that the body is the raw one, unparsed. |
 * | `malformed_body` | It is signed, but no event: something else signs with your secret. |
 */
export type WebhookProblem =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_too_old'
  | 'timestamp_too_new'
  | 'wrong_signature'
  | 'malformed_body'

/** A request is not a webhook of Sluice, or not one for this secret and this time. Answer it with 400. */
export class SluiceWebhookError extends Error {
  override readonly name = 'SluiceWebhookError'
  readonly reason: WebhookProblem

  constructor(reason: WebhookProblem, message: string) {
    super(message)
    this.reason = reason
  }
}
