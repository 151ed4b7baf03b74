/** A backup cannot be taken, read or restored. The message tells the operator what is wrong, where, and what to do. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}
