import type { Operations } from '@sluice/web/contract'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The paths below `/dashboard-api` that the contract has for these methods. */
export type PathsOf<Asked extends Method = Method> = {
  [Id in keyof Operations]: Operations[Id] extends {
    method: Asked
    request: { url: `/dashboard-api${infer Template}` }
  }
    ? Template
    : never
}[keyof Operations]

/** The names in a path of the contract: `userID` of `/team/members/{userID}`. */
type NamesIn<Template extends string> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never

/** What is to be put in their places; nothing where there are none. */
export type Filling<Template extends string> = [NamesIn<Template>] extends [never]
  ? []
  : [Readonly<Record<NamesIn<Template>, string>>]

declare const template: unique symbol

/** An address made from a path of the contract. No other text is taken for one, so no page asks for what there is not. */
export type Path<Template extends string> = string & { readonly [template]: Template }

/** What can be asked with a method: a path of the contract as it stands, or one whose places are filled. */
export type Askable<Asked extends Method> =
  | Path<PathsOf<Asked>>
  | Exclude<PathsOf<Asked>, `${string}{${string}`>

/** A path of the contract with its places filled. */
export function fillPath<const Template extends PathsOf>(
  path: Template,
  ...[values]: Filling<Template>
): Path<Template> {
  return filled(path, values ?? {})
}

/** The same for whoever has seen to it that the path is the contract's and the values are all there. */
export function filled<Template extends string>(
  path: Template,
  values: Readonly<Record<string, string>>,
): Path<Template> {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? ''),
  ) as Path<Template>
}
