import { expect, it } from 'vitest'
import { OutageError } from '../../src/domain/errors.ts'
import { takeSignerLease } from '../../src/store/spends/signer-lease.ts'
import { freePort } from '../support/servers/free-port.ts'

it('a database that goes away while the lease is taken is an outage, which the signer waits out', async () => {
  const nobody = `postgres://sluice@127.0.0.1:${await freePort()}/sluice`
  await expect(takeSignerLease(nobody, 'test', { onPlanned: () => {} })).rejects.toThrow(OutageError)
})
