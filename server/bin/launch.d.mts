export function pinnedNode(): { path: string; version: string } | null
