/** Lets a command end without a word once its reader has left, as `… | head` does. */
export function endWhenUnread(): void {
  // A process that runs many commands, as tests do, needs it once.
  for (const stream of [process.stdout, process.stderr]) stream.off('error', end).on('error', end)
}

function end(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
  process.exit()
}
