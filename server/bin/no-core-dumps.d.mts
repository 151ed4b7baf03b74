export function forbidCoreDumps(): void
