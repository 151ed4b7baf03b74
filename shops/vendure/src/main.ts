export type { ShopSettings } from '../../shared/settings.ts'
export { refundAddressField } from './handler.ts'
export { SluicePlugin } from './plugin.ts'
