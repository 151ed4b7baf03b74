/** Runs the command line. `pages` says whether the pages were built, where they are built meanwhile. */
export function loadMain(): Promise<(argv: readonly string[], pages?: Promise<boolean>) => Promise<void>>
