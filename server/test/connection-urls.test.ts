import { describe, expect, it } from 'vitest'
import { readSettings } from '../src/settings/settings.ts'
import { runSluice } from './support/processes/sluice-process.ts'

const password = 'opensesame'

describe.each(['DATABASE_URL', 'DATABASE_MIGRATION_URL'])('%s', (name) => {
  const read = (url: string) => readSettings({ DATABASE_URL: 'postgres://a@b/c', [name]: url })

  it.each([
    ['a stray percent sign in the host', `postgres://sluice:${password}@%zz/sluice`],
    ['an encoding of no character in the host', `postgres://sluice:${password}@%ff/sluice`],
    ['a stray percent sign in the password', `postgres://sluice:${password}%@db.example/sluice`],
    ['a stray percent sign in the database', `postgres://sluice:${password}@db.example/%`],
    ['a stray percent sign in an option', `postgres://sluice:${password}@db.example/sluice?host=/run/%z`],
  ])('with %s is refused with the way out, and without its password', (_, url) => {
    const refused = messageOf(() => read(url))
    expect(refused).toContain(
      `${name} has a percent sign that encodes no character. Write %25 for a percent sign`,
    )
    expect(refused).not.toContain(password)
  })

  it.each([
    `postgres://sluice:${password}@db.example:99999/sluice`,
    `postgres://sluice:${password}@db example:x/sluice`,
  ])('that is no URL is refused with the way out, and without its password: %s', (url) => {
    const refused = messageOf(() => read(url))
    expect(refused).toContain(`${name} must look like postgres://user:password@db.example.com:5432/sluice`)
    expect(refused).not.toContain(password)
  })

  it.each([
    'postgres://sluice:100%25@db.example/sluice',
    'postgresql://sluice@%2Fvar%2Frun%2Fpostgresql:5432/sluice',
    'postgres://sluice@/sluice?host=/var/run/postgresql',
    'postgres:///sluice',
    'postgres://[::1]:5432/sluice',
    'postgres://sluice:m%C3%BCller@db.example/sluice?sslmode=verify-full&sslrootcert=/etc/a%20b.pem',
  ])('may be %s', (url) => {
    expect(() => read(url)).not.toThrow()
  })
})

it('a service does not start with such a URL, and says so in two lines', async () => {
  const { code, stderr } = await runSluice(['start'], {
    DATABASE_URL: `postgres://sluice:${password}@%zz/sluice`,
  })
  expect([code, stderr]).toEqual([
    1,
    'The settings need correcting:\n  - DATABASE_URL has a percent sign that encodes no character. Write %25 for a percent sign in ' +
      'a password or name, and %2F for a slash\n',
  ])
})

function messageOf(read: () => unknown): string {
  try {
    read()
  } catch (error) {
    return (error as Error).message
  }
  return 'accepted'
}
