export const built: string
export const stamp: string
export function hashOfSource(): string
export function isBuilt(): boolean
