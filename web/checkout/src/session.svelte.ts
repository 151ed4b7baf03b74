import type { Language, PageNotice, PageState } from '@sluice/web/checkout'
import type { Checkout, CheckoutOffer, CheckoutPhase, CheckoutSimulation } from '@sluice/web/contract'
import { fiatText, isNothing } from '@sluice/web/ui/amounts.ts'
import { isRightToLeft, type MessageValues, translate } from '@sluice/web/ui/messages.ts'
import { createContext } from 'svelte'
import { type CheckoutApi, RefusedError, UnreachableError } from './api.ts'
import { type HeardTime, secondsLeft } from './countdown.ts'
import type { MessageKey, Messages } from './messages.ts'

/** A notice that the page shows the payer once, in addition to the service's. */
export type Notice = PageNotice | 'chosen'

/** Components get it by `getSession()`. */
export const [getSession, setSession] = createContext<Session>()

/** The state of the screen, and the payer's actions. The service decides all of it; this only holds it. */
export class Session {
  readonly path: string
  readonly embedded: boolean
  readonly problem: PageState['problem']
  language: Language
  messages: Messages
  checkout: Checkout | null
  offers: readonly CheckoutOffer[] | null
  notice: Notice | null
  /** When the last view arrived, and the current time, both by the payer's clock. */
  heard: HeardTime
  nowMs: number
  connected = $state(true)
  /** The page can make no more calls; only a reload helps. */
  outdated = $state(false)
  busy = $state(false)
  /** Whether the page's script runs: local times and buttons that need it may be shown. */
  alive = $state(false)
  api: CheckoutApi | null = null
  #shown = 0
  #streamed = 0
  loadMessages: (language: Language) => Promise<Messages>

  constructor(
    state: PageState,
    messages: Messages,
    heardAtMs: number,
    loadMessages: Session['loadMessages'],
  ) {
    this.path = state.path
    this.embedded = state.embedded
    this.problem = state.problem
    this.language = $state(state.language)
    this.messages = $state.raw(messages)
    this.checkout = $state.raw(state.checkout)
    this.offers = $state.raw(state.offers)
    this.notice = $state(state.notice)
    this.heard = $state.raw({ said: state.checkout?.now ?? '', heardAtMs })
    this.nowMs = $state(heardAtMs)
    this.loadMessages = loadMessages
  }

  get direction(): 'ltr' | 'rtl' {
    return isRightToLeft(this.language) ? 'rtl' : 'ltr'
  }

  /** Whether the payer looks at other assets than the one chosen before. */
  get changing(): boolean {
    return this.offers !== null && this.phase === 'pay' && this.checkout?.can_change_asset === true
  }

  get secondsLeft(): number | null {
    return secondsLeft(this.checkout?.expires_at ?? null, this.heard, this.nowMs)
  }

  /**
   * The service's phase. Only the end of the window is decided here without being told, because nothing may be sent
   * after it.
   */
  get phase(): CheckoutPhase | null {
    const phase = this.checkout?.phase ?? null
    const over = (phase === 'pay' || phase === 'underpaid') && this.secondsLeft === 0
    return over ? 'closing' : phase
  }

  /** Whether a payment is due. The service says so by providing a payment URI; never after the window. */
  get canSend(): boolean {
    const { asset, phase } = this.checkout ?? { asset: null, phase: null }
    if (asset === null || this.secondsLeft === 0) return false
    return (
      phase === 'pay' ||
      phase === 'underpaid' ||
      (asset.payment_uri !== null && !isNothing(asset.amount_missing))
    )
  }

  t = (key: MessageKey, values?: MessageValues): string =>
    translate(this.language, this.messages, key, { shop: this.checkout?.shop.name ?? '', ...values })

  fiat = (amount: string, currency: string): string => fiatText(this.language, amount, currency)

  /** A time in words: in UTC as rendered by the service, and in the payer's own zone once the script runs. */
  moment = (at: string, style: 'time' | 'full'): string =>
    new Intl.DateTimeFormat(this.language, {
      ...(style === 'full' ? { dateStyle: 'medium' } : {}),
      timeStyle: style === 'full' ? 'long' : 'short',
      numberingSystem: 'latn',
      ...(this.alive ? {} : { timeZone: 'UTC' }),
    }).format(new Date(at)) + (this.alive || style === 'full' ? '' : ' UTC')

  /** Shows a view from the stream: those arrive in order. */
  streamed = (checkout: Checkout): void => {
    this.#streamed++
    this.#show(checkout)
  }

  /** Called before a poll; the returned function takes the view, unless another one was shown in the meantime. */
  asking = (): ((checkout: Checkout) => void) => {
    const shown = this.#shown
    return (checkout) => {
      if (this.#shown === shown) this.#show(checkout)
    }
  }

  #show(checkout: Checkout): void {
    this.#shown++
    this.heard = { said: checkout.now, heardAtMs: Date.now() }
    this.nowMs = Date.now()
    // Offers are for the choice that was there when they were asked for.
    const isStillChoosing =
      checkout.phase === 'choose' || (checkout.can_change_asset && isSameAsset(this.checkout, checkout))
    this.checkout = checkout
    if (!isStillChoosing) this.offers = null
  }

  async choose(currency: string, network: string): Promise<void> {
    const before = this.checkout?.asset ?? null
    const choice = { currency, network }
    const insteadOf =
      before === null ? {} : { instead_of: { currency: before.currency, network: before.network } }
    await this.#ask('choose', async (api) => {
      const checkout = await api.choose({ ...choice, ...insteadOf })
      this.offers = null
      return checkout
    })
  }

  /** Shows the assets that may be chosen instead. */
  async reconsider(): Promise<void> {
    await this.#ask('choose', async (api) => {
      this.offers = await api.assets()
      return api.invoice()
    })
  }

  /** Goes back to the asset that was chosen. */
  keep = (): void => {
    this.offers = null
  }

  async simulate(action: CheckoutSimulation['action']): Promise<void> {
    await this.#ask('simulate', (api) => api.simulate(action))
  }

  async speak(language: Language): Promise<void> {
    try {
      this.messages = await this.loadMessages(language)
      this.language = language
      this.notice = null
    } catch {
      // The service is away, or was upgraded since: the page stays as it is.
      this.notice = 'not_done'
    }
  }

  async #ask(what: 'choose' | 'simulate', call: (api: CheckoutApi) => Promise<Checkout>): Promise<void> {
    if (this.api === null || this.busy) return
    this.busy = true
    this.notice = null
    const streamed = this.#streamed
    const before = this.checkout
    try {
      const checkout = await call(this.api)
      // If the stream has sent a view meanwhile, it will send the rest too, and in order.
      if (this.#streamed === streamed) this.#show(checkout)
    } catch (error) {
      if (!(error instanceof RefusedError || error instanceof UnreachableError)) throw error
      this.notice = await this.#noticeOf(what, error, this.api, before)
    } finally {
      this.busy = false
    }
  }

  async #noticeOf(
    what: string,
    error: RefusedError | UnreachableError,
    api: CheckoutApi,
    before: Checkout | null,
  ): Promise<Notice> {
    if (error instanceof UnreachableError) return 'not_done'
    if (error.status === 401) this.outdated = true
    if (
      error.code === 'gate_offline' ||
      error.code === 'rate_unavailable' ||
      error.code === 'amount_too_small'
    )
      return error.code
    if (what !== 'choose' || error.status !== 409) return 'not_done'
    // Another window was faster: both show its choice. Or a payment has just been seen: then this shows it.
    const show = this.asking()
    const checkout = await api.invoice().catch(() => null)
    if (checkout !== null) show(checkout)
    return isSameAsset(before, checkout) ? 'not_done' : 'chosen'
  }
}

/** Whether both pay in the same asset. Without a choice there is none. */
function isSameAsset(one: Checkout | null, other: Checkout | null): boolean {
  const [a, b] = [one?.asset ?? null, other?.asset ?? null]
  return a !== null && a.currency === b?.currency && a.network === b.network
}
