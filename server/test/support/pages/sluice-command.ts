import type { Command } from 'commander'
import { buildProgram } from '../../../src/cli/program.ts'
import type { Tools } from '../../../src/cli/tools.ts'

// What a reader puts in place of such a word.
const someId = '019a8554-7c1e-7b3a-9f0e-3d2c1b0a9f8e'
const filled = (word: string) =>
  word
    .replace(/^[A-Z]+(_[A-Z]+)*(?=$|:)/, someId)
    .replace(/:([0-9a-f]{4})…$/, (_, start: string) => `:${start.padEnd(64, '0')}`)

/** Why the command would refuse these words, by its own parser; null if it would run. Nothing runs. */
export async function refusalOf(words: readonly string[]): Promise<string | null> {
  const program = buildProgram({ version: '0' } as Tools, [])
  let complaint = ''
  for (const command of everyCommand(program)) {
    command.exitOverride()
    command.configureOutput({ writeOut: () => {}, writeErr: (text) => (complaint += text) })
    if (command !== program) command.action(() => {})
  }
  try {
    await program.parseAsync(words.map(filled), { from: 'user' })
    return null
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    return code === 'commander.helpDisplayed' ? null : complaint || message
  }
}

/** What of these words does not exist: a command or an option. Words that are missing do not matter, as within a sentence. */
export function unknownIn(words: readonly string[]): string | null {
  let command = buildProgram({ version: '0' } as Tools, [])
  let isNamed = true
  for (const word of words) {
    const next = command.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (word.startsWith('--')) {
      isNamed = false
      const name = word.replace(/=.*/, '')
      if (name !== '--help' && !optionsOf(command).includes(name)) return word
    } else if (next !== undefined && isNamed) command = next
    // A group takes nothing but its commands.
    else if (isNamed && command.commands.length > 0 && /^[a-z-]+$/.test(word)) return word
  }
  return null
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

/** The options of a command and of those above it. */
function optionsOf(command: Command | null): string[] {
  if (command === null) return []
  const own = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long]))
  return [...own, ...optionsOf(command.parent)]
}
