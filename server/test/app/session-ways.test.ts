import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const source = fileURLToPath(new URL('../../src/', import.meta.url))

it('no code opens a session except the four known ways to sign in', () => {
  const callers = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /\bopenSession\(app\b|\bsessions\.insert\(/.test(readFileSync(join(source, file), 'utf8')),
    )
  expect(callers.sort()).toEqual([
    'app/people/open-session.ts',
    'app/people/show-second-factor.ts',
    'app/people/sign-in-with-passkey.ts',
    'app/people/sign-in.ts',
    'app/team/accept-invitation.ts',
  ])
})
