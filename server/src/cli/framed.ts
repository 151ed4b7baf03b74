/** Lines in a frame with a title, so that they stand out in the output. */
export function framed(title: string, lines: readonly string[]): string {
  const width = Math.max(title.length + 2, ...lines.map((line) => line.length))
  return [
    `╭─ ${title} ${'─'.repeat(width - title.length - 1)}╮`,
    ...lines.map((line) => `│ ${line.padEnd(width)} │`),
    `╰${'─'.repeat(width + 2)}╯`,
  ].join('\n')
}
