export const built: string
export const stamp: string
export function hashOfSource(): string
export function isBuilt(): boolean
export const lookStamp: string
export function lookOfSource(): string | null
