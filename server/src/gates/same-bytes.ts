/** Whether two byte strings are equal. For what is public: it takes as long as the common beginning. */
export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at])
}
