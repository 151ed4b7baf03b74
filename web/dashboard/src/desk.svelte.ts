import type { Environment, Membership, Power, Session } from '@sluice/web/contract'
import { getSession, signOut } from '@sluice/web/operations'
import { fiatText } from '@sluice/web/ui/amounts.ts'
import { type MessageValues, translate } from '@sluice/web/ui/messages.ts'
import type { OperationId } from '@sluice/web/ui/operation.ts'
import { createContext } from 'svelte'
import { type Call, callAt } from './api/calls.ts'
import { type Api, createApi } from './api/client.ts'
import { NotProvedError, RefusedError, UnreachableError } from './api/errors.ts'
import { CeremonyError } from './api/passkeys.ts'
import { keepPlace, keptPlace } from './kept-place.ts'
import { loadCode } from './load-code.ts'
import { isLanguage, type Language, loadMessages, type MessageKey, type Messages } from './messages.ts'
import type { InView } from './places.ts'
import { Questions } from './questions.svelte.ts'
import { loadRefusalWords, type ReasonWords } from './reason-words.ts'
import { forgetPlaces } from './recent-places.ts'
import { problemIn, refusalText } from './refusals.ts'
import type { Router } from './router.svelte.ts'
import { isForAnyone, isPublic, pathTo, type RouteName, type RouteParams, standsAlone } from './routes.ts'
import { forgetShown } from './shown-data.ts'
import { Toasts } from './toasts.svelte.ts'

type Scope = 'merchant' | 'environment'
type OwnParams<Name extends RouteName> = Omit<RouteParams<Name>, Scope>

// The time in an answer has whole seconds.
const sameMs = 2_000

/** Components get it by `getDesk()`. */
export const [getDesk, setDesk] = createContext<Desk>()

/**
 * The signed-in user, the merchant and environment, and the language. The service decides all of it; this only holds
 * it.
 */
export class Desk {
  readonly router: Router
  readonly api: Api
  readonly toasts = new Toasts()
  readonly questions = new Questions()
  /** Null: no user is signed in. Undefined: not known yet. */
  session = $state.raw<Session | null | undefined>(undefined)
  language: Language
  messages: Messages
  /** The words for the service's sentences; null in English, and until something was refused. */
  words = $state.raw<ReasonWords | null>(null)
  /** The current time, for phrases like "3 minutes ago". */
  nowMs = $state(Date.now())
  /** How far the merchant's test clock is ahead of that, on pages of the test environment. */
  testAheadMs = $state(0)
  #aheadMs = 0
  /** Whether something was typed on this page, which would be lost with it. */
  hasInput = false
  /** Counts the changes made here; each is a reason to load data again. */
  changes = $state(0)

  constructor(router: Router, language: Language, messages: Messages, send: typeof fetch) {
    this.router = router
    this.language = $state(language)
    this.messages = $state.raw(messages)
    this.api = createApi({
      send,
      whose: () => ({ merchantID: this.merchantId ?? '', environment: this.environment ?? '' }),
      onSignedOut: () => this.signedOut(),
      onRefused: {
        second_factor_required: () => this.#leadTo(pathTo('welcome', {}), { needed: '' }),
        password_change_required: () => this.#leadTo(pathTo('new_password', {})),
      },
      prove: (methods) => this.questions.prove(methods),
      onDate: (serviceMs) => this.#heardTime(serviceMs),
    })
  }

  t = (key: MessageKey, values?: MessageValues): string =>
    translate(this.language, this.messages, key, values)

  fiat = (amount: string, currency: string): string => fiatText(this.language, amount, currency)

  /** What people call a network. */
  networkName = (id: string): string => this.session?.network_names[id] ?? id

  /** Reads the time again. */
  tick(): void {
    this.nowMs = Date.now() + this.#aheadMs
  }

  /** The service's clock dates everything shown here, and this machine's may differ. */
  #heardTime(serviceMs: number): void {
    const differs = serviceMs - Date.now()
    // Answers take a moment to arrive; a clock that is right stays as it is.
    if (Math.abs(differs - this.#aheadMs) > sameMs) this.#aheadMs = Math.abs(differs) > sameMs ? differs : 0
    this.tick()
  }

  /** The merchant that the page is about, and acts on: its URL alone says so. */
  get merchantId(): string | null {
    return this.router.route?.params.merchant ?? null
  }

  get environment(): Environment | null {
    return (this.router.route?.params.environment as Environment | undefined) ?? null
  }

  get membership(): Membership | null {
    return this.session?.memberships.find(({ merchant_id }) => merchant_id === this.merchantId) ?? null
  }

  #kept = $state.raw(keptPlace())

  /**
   * The merchant and environment that the menu leads to: those of the page, else those last viewed. Null: the user belongs
   * to no merchant.
   */
  get inView(): InView | null {
    const { membership, environment } = this
    if (membership !== null && environment !== null) return { membership, environment }
    const memberships = this.session?.memberships ?? []
    const last = memberships.find(({ merchant_id }) => merchant_id === this.#kept?.merchant)
    if (last !== undefined) return { membership: last, environment: this.#kept?.environment ?? 'test' }
    const [first] = memberships
    return first === undefined ? null : { membership: first, environment: 'test' }
  }

  /** Remembers the place of this page as the one last viewed, if the user belongs there. */
  keepPlace(): void {
    const { membership, environment } = this
    if (membership !== null && environment !== null)
      this.#kept = keepPlace({ merchant: membership.merchant_id, environment })
  }

  /** The call, of a part that every page has, about the merchant and environment in view. Null: there are none. */
  callInView<Id extends OperationId>(call: Call<Id>): Call<Id> | null {
    if (this.membership !== null) return call
    if (this.inView === null) return null
    const { membership, environment } = this.inView
    return callAt({ merchantID: membership.merchant_id, environment }, call)
  }

  /** Whether the user has a power at the merchant in view. The service decides again; this only hides what it would refuse. */
  may = (power: Power | 'operator'): boolean =>
    this.inView?.membership.powers.some((each) => each === power) ?? false

  /** The URL of a page of the merchant and environment in view. */
  to = <Name extends RouteName>(
    name: Name,
    ...[params]: keyof OwnParams<Name> extends never ? [] : [OwnParams<Name>]
  ): string =>
    pathTo(name, {
      merchant: this.inView?.membership.merchant_id ?? '',
      environment: this.inView?.environment ?? 'test',
      ...params,
    } as unknown as RouteParams<Name>)

  async speak(language: Language): Promise<void> {
    this.messages = await loadCode(() => loadMessages(language))
    this.language = language
    this.words = null
    document.documentElement.lang = language
    localStorage.setItem('sluice.language', language)
  }

  /** Speaks another language. If its words do not arrive, says so, and the present one stays. */
  async choose(language: Language): Promise<boolean> {
    const isSpoken = await this.act(async () => {
      await this.speak(language)
      return true
    })
    return isSpoken !== null
  }

  /** Asks who is signed in. Null: no one. */
  async recognise(): Promise<Session | null> {
    const session = await this.api.call(getSession).catch((error: unknown) => {
      if (error instanceof RefusedError && error.status === 401) return null
      throw error
    })
    const language = session?.language
    // Words that do not arrive do no harm: the page goes on in the language that it has.
    if (language && isLanguage(language) && language !== this.language) await this.choose(language)
    this.session = session
    return session
  }

  /** The user's first page: the merchant and environment they last viewed. */
  get start(): string {
    if (this.inView !== null) return this.to('overview')
    return pathTo(this.session?.is_operator ? 'gates' : 'account', {})
  }

  /**
   * The session has ended. Someone who has typed something here may sign in without leaving the page, and true means that they did.
   * Everyone else goes to the sign-in, and comes back here afterwards.
   */
  async signedOut(): Promise<boolean> {
    if (this.session && this.hasInput && (await this.questions.signIn())) return true
    this.session = null
    const { route, query } = this.router
    if (route === null || !isPublic(route.name)) this.#leadTo(pathTo('sign_in', {}))
    // A step that is only for those who are signed in: what it led to is asked for again after signing in.
    else if (!isForAnyone(route.name)) {
      const back = new URLSearchParams({ back: query.get('back') ?? pathTo('home', {}) })
      this.router.go(`${pathTo('sign_in', {})}?${back}`, { replace: true })
    }
    return false
  }

  /** Signs out, in this browser; asks first if something unsaved would be lost with this page. */
  async leave(): Promise<void> {
    const { router } = this
    if (router.leaving !== null && !(await router.leaving())) return
    try {
      await this.api.call(signOut)
    } catch (error) {
      // Without a session there is nothing left to end.
      if (!(error instanceof RefusedError) || error.status !== 401) {
        this.toasts.say(this.explain(error), 'over')
        return
      }
    }
    forgetShown()
    forgetPlaces()
    router.unguard()
    this.session = null
    const { route, url } = router
    // What a shop asked for is still open: someone else may be the right one to answer.
    const back = route !== null && standsAlone(route.name) ? `${pathTo('connect', {})}${url.search}` : null
    router.go(`${pathTo('sign_in', {})}${back === null ? '' : `?${new URLSearchParams({ back })}`}`)
  }

  /** To another step first, and back here afterwards. */
  #leadTo(path: string, more: Readonly<Record<string, string>> = {}): void {
    const { route, url } = this.router
    if (route !== null && isPublic(route.name)) return
    const query = new URLSearchParams({ ...more, back: `${url.pathname}${url.search}` })
    this.router.go(`${path}?${query}`, { replace: true })
  }

  /** The error in words that say what to do. */
  explain = (error: unknown): string => {
    if (error instanceof RefusedError) {
      this.#learnWords()
      if (error.status === 429 && error.retryAfterSeconds !== null)
        return this.t('error_rate_limited', { count: error.retryAfterSeconds })
      if (error.status >= 500) return this.t('error_ours', { request: error.requestId ?? '–' })
      return refusalText(this, error)
    }
    if (error instanceof UnreachableError) return this.t('error_unreachable')
    if (error instanceof CeremonyError) return this.t('error_ceremony')
    throw error
  }

  /** What is wrong with one field of a form whose request was refused, for the text beside it. */
  wrong = (refused: RefusedError | null, field: string): string | null => {
    if (refused !== null) this.#learnWords()
    return problemIn(this, refused, field)
  }

  /** Loads the words for the service's sentences, unless they are here. What is shown meanwhile says less, in the same language. */
  async #learnWords(): Promise<void> {
    const { language } = this
    if (language === 'en' || this.words !== null) return
    const words = await loadRefusalWords(language)
    if (language === this.language) this.words = words
  }

  /** Performs a change and reports the result. Null if it did not happen. */
  async act<Result>(work: () => Promise<Result>, done?: string): Promise<Result | null> {
    try {
      const result = await work()
      this.changes++
      if (done !== undefined) this.toasts.say(done)
      return result
    } catch (error) {
      if (error instanceof RefusedError) await this.#learnWords()
      if (error instanceof NotProvedError) this.toasts.say(this.t('not_proved'), 'over')
      else this.toasts.say(this.explain(error), 'over')
      return null
    }
  }
}
