import { ModuleProvider, Modules } from '@medusajs/framework/utils'
import { SluiceProvider } from './provider.ts'

/** What `medusa-config.ts` names as a provider of the payment module. */
export default ModuleProvider(Modules.PAYMENT, { services: [SluiceProvider] })
