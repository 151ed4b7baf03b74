import type { Environment } from '@sluice/web/contract'
import { environmentValues } from '@sluice/web/values'

const keptUnder = 'sluice.place'

/** A merchant and an environment that were viewed in this browser, by whomever. */
export type KeptPlace = { readonly merchant: string; readonly environment: Environment }

/** The one last viewed in this browser. */
export function keptPlace(): KeptPlace | null {
  const [merchant, asked] = (localStorage.getItem(keptUnder) ?? '').split('/')
  const environment = environmentValues.find((each) => each === asked)
  return merchant === undefined || environment === undefined ? null : { merchant, environment }
}

/** Remembers it, and returns it. */
export function keepPlace(place: KeptPlace): KeptPlace {
  localStorage.setItem(keptUnder, `${place.merchant}/${place.environment}`)
  return place
}
