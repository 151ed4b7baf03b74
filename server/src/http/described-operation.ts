/** An operation of the contract, as far as its description needs it. */
export type DescribedOperation = {
  readonly description?: string
  readonly security?: readonly { readonly [scheme: string]: readonly string[] }[]
}

/** An operation's description with the permission that its key needs, for formats that have no other place for it. */
export function descriptionOf({ description = '', security = [] }: DescribedOperation): string {
  const permissions = security.flatMap((scheme) => Object.values(scheme).flat())
  const needed = permissions.map((permission) => `Requires the permission \`${permission}\`.`)
  return [description.trimEnd(), ...needed].filter((text) => text !== '').join('\n\n')
}
