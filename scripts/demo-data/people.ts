import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const team = [
  ['anna.berger@example.com', 'Anna Berger', 'admin'],
  ['luis.ortega@example.com', 'Luis Ortega', 'finance'],
  ['mei.tanaka@example.com', 'Mei Tanaka', 'developer'],
  ['paul.novak@example.com', 'Paul Novak', 'viewer'],
] as const
const command = join(import.meta.dirname, '../../server/bin/sluice.mjs')
const run = promisify(execFile)

/** Adds people to the merchant by the command line, since the public API makes none. Who exists already stays. */
export async function addPeople(merchantId: string, say: (line: string) => void): Promise<void> {
  for (const [email, name, role] of team) {
    const who = ['--email', email, '--name', name, '--role', role, '--merchant', merchantId]
    try {
      const { stdout } = await run(process.execPath, [command, 'user', 'create', ...who, '--json'])
      say(`  ${name}, ${role}: ${email}, password ${JSON.parse(stdout).password}`)
    } catch (error) {
      const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
      const said = `${stderr}${stdout}`.trim().split('\n').at(-1) ?? ''
      say(`  ${name} was not added: ${said === '' ? 'the command failed.' : said}`)
    }
  }
}

/** Invites a person to the merchant, and returns the link, which is for that person alone. */
export async function invitePerson(merchantId: string): Promise<string> {
  const who = ['--email', 'sofia.rossi@example.com', '--role', 'finance', '--merchant', merchantId]
  const { stdout } = await run(process.execPath, [command, 'user', 'invite', ...who, '--json'])
  return JSON.parse(stdout).link
}
