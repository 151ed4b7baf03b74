import { expect, it } from 'vitest'
import { errorCodes } from '../../src/domain/errors.ts'
import contract from '../../src/http/contract.generated.json' with { type: 'json' }
import { statusOf } from '../../src/http/errors.ts'

it('the error catalogue of the code is that of the contract, statuses included', () => {
  const { enum: codes, description } = contract.components.schemas.ErrorCode
  expect([...codes].sort()).toEqual([...errorCodes].sort())
  for (const code of errorCodes) {
    const row = description.split('\n').find((line) => line.startsWith(`| \`${code}\` |`))
    expect(row, `${code} has no row in the contract's table`).toBeDefined()
    expect(row?.split('|')[2]).toContain(String(statusOf[code]))
  }
})
