/** One command of a shell script: what is set for it alone, and its words without quotes. */
export type ShellCommand = { readonly set: readonly string[]; readonly words: readonly string[] }

/**
 * The commands of a script, those within `$(…)` and `(…)` included. It knows as much of the shell as our pages use: quotes,
 * comments, continued lines, lists, pipes and redirections.
 */
export function commandsOf(script: string): ShellCommand[] {
  const commands: ShellCommand[] = []
  let words: string[] = []
  let word: string | null = null
  let skipsWord = false
  const endWord = () => {
    if (word !== null && !skipsWord) words.push(word)
    if (word !== null) skipsWord = false
    word = null
  }
  const endCommand = () => {
    endWord()
    const from = words.findIndex((each) => !/^\w+=/.test(each))
    const set = from < 0 ? words : words.slice(0, from)
    if (words.length > 0) commands.push({ set, words: from < 0 ? [] : words.slice(from) })
    words = []
  }
  const text = script.replaceAll('\\\n', ' ')
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === "'") {
      const end = text.indexOf("'", at + 1)
      word = (word ?? '') + text.slice(at + 1, end)
      at = end
    } else if (letter === '"') {
      const end = endOfQuotes(text, at)
      const inside = text.slice(at + 1, end)
      for (const [, inner = ''] of inside.matchAll(/\$\(([^)]*)\)/g)) commands.push(...commandsOf(inner))
      word = (word ?? '') + inside
      at = end
    } else if (text.startsWith('$(', at)) {
      const end = text.indexOf(')', at)
      commands.push(...commandsOf(text.slice(at + 2, end)))
      word = `${word ?? ''}$()`
      at = end
    } else if (letter === '#' && word === null) {
      at = (text.indexOf('\n', at) < 0 ? text.length : text.indexOf('\n', at)) - 1
    } else if (/[;&|()\n]/.test(letter)) endCommand()
    else if (/[<>]/.test(letter)) {
      endWord()
      skipsWord = true
    } else if (/\s/.test(letter)) endWord()
    else word = (word ?? '') + letter
  }
  endCommand()
  return commands
}

function endOfQuotes(text: string, from: number): number {
  for (let at = from + 1, depth = 0; at < text.length; at++) {
    if (text.startsWith('$(', at)) depth++
    else if (text[at] === ')' && depth > 0) depth--
    else if (text[at] === '"' && depth === 0) return at
  }
  throw new Error(`The quotes do not end: ${text.slice(from)}`)
}
