import { MedusaError } from '@medusajs/framework/utils'
import { SluiceError } from '@sluice/sdk'

/** An error whose words staff and storefront see; Medusa hides those of any other. */
export function refused(message: string): MedusaError {
  return new MedusaError(MedusaError.Types.NOT_ALLOWED, message)
}

/** The same for what Sluice refuses. An outage stays an error of the server, so that Medusa tries again. */
export async function shown<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof TypeError || (error instanceof SluiceError && error.status < 500))
      throw refused(`Sluice: ${error.message}`)
    throw error
  }
}
