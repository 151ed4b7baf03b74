/** Runs the command line. `pages` says whether the pages were built, if they are being built meanwhile. */
export function loadMain(): Promise<(argv: readonly string[], pages?: Promise<boolean>) => Promise<void>>
