/** Changes to an account that its user is notified of by mail, so that a stranger's change does not go unnoticed. */
const notices = [
  'password_changed',
  'password_reset',
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'recovery_codes_made',
  'recovery_code_used',
  'sign_in_slowed',
] as const
export type Notice = (typeof notices)[number]

/** A sign-in from a new device, as its user is told of it. */
export type NewDevice = {
  /** ISO 8601, UTC. */
  readonly at: string
  readonly browser: string
  readonly ip: string
}
