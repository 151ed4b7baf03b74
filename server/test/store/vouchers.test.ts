import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { readStatement } from '../../src/domain/passkey-statements.ts'
import { query } from '../support/database/database.ts'
import { openPasskeyDesk } from '../support/people/passkey-desk.ts'

const folder = new URL('../../src/store/migrations/', import.meta.url)

it('a voucher from before is moved to a statement that the signer can read', async () => {
  const name = (await readdir(folder)).find((each) => each.endsWith('_signer_changes.sql')) ?? ''
  const [move = ''] = (await readFile(new URL(name, folder), 'utf8')).split(';')
  const desk = await openPasskeyDesk()
  try {
    await query(
      desk.url,
      `alter table passkey_enrolments add voucher_credential_id bytea, add voucher_authenticator_data bytea,
         add voucher_client_data_json bytea, add voucher_signature bytea`,
    )
    const eve = await desk.member()
    // Long enough for PostgreSQL to break the line, with every digit of base64.
    const publicKey = randomBytes(300)
    const passkey = { ...eve.passkey, publicKey, credentialId: randomBytes(77) }
    await desk.offer({ ...eve, passkey })
    const [signer, signature] = [randomBytes(20), randomBytes(70)]
    await query(
      desk.url,
      `update passkey_enrolments set voucher_credential_id = $1, voucher_authenticator_data = 'a',
         voucher_client_data_json = 'b', voucher_signature = $2`,
      [signer, signature],
    )
    await query(desk.url, move)
    const [told] = await desk.app.store.passkeySigning.statements(0n, 10)
    expect(readStatement(told?.said ?? '')).toEqual({
      kind: 'trust_passkey',
      merchantId: desk.merchantId,
      userId: eve.userId,
      credentialId: passkey.credentialId,
      publicKey,
    })
    expect(told?.assertion).toMatchObject({ credentialId: signer, signature })
  } finally {
    await desk.close()
  }
})
