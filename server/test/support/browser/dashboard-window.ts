import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Login, originOf } from '../people/dashboard-client.ts'
import type { TestService } from '../shop/service.ts'

/** A browser window with the dashboard, as one user has it. Its complaints are collected. */
export class DashboardWindow {
  readonly context: BrowserContext
  readonly page: Page
  readonly #origin: string

  constructor(context: BrowserContext, page: Page, origin: string) {
    this.context = context
    this.page = page
    this.#origin = origin
  }

  /** The URL of a page of the dashboard. */
  at(path: string): string {
    return `${this.#origin}/dashboard${path}`
  }

  go(path: string) {
    return this.page.goto(this.at(path))
  }

  /** Follows a link to a page, as users do: the dashboard is not loaded anew, which costs as much as five pages. */
  follow(path: string): Promise<void> {
    return followLink(this.page, `/dashboard${path}`)
  }

  heading(name: string | RegExp): Promise<void> {
    return this.page.getByRole('heading', { name, level: 1 }).waitFor()
  }

  toast(text: string): Promise<void> {
    return this.page.locator('.toast').getByText(text).first().waitFor()
  }

  button(name: string | RegExp) {
    return this.page.getByRole('button', { name })
  }

  async signIn({ email, password }: Login): Promise<void> {
    await this.page.getByLabel('Email address').fill(email)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }

  /** Gives a proof if the page asks for one before it shows what is awaited. */
  async prove(
    proof: { password: string } | { totp(): Promise<string> },
    until: () => Promise<void>,
    { title = 'Confirm your identity', action = 'Confirm' } = {},
  ) {
    const dialog = this.page.getByRole('dialog', { name: title })
    const asked = await Promise.race([dialog.waitFor().then(() => true), until().then(() => false)])
    if (!asked) return
    if ('password' in proof) await dialog.getByLabel('Your password').fill(proof.password)
    else await dialog.getByLabel('Code from your authenticator app').fill(await proof.totp())
    await dialog.getByRole('button', { name: action }).click()
    await until()
  }

  /** Gives the window's device an authenticator that can create passkeys. */
  async addAuthenticator(): Promise<void> {
    const devtools = await this.context.newCDPSession(this.page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
  }

  /**
   * Goes from the first sign-in, which asks for a second factor, to the overview, with a passkey of the window's own device.
   */
  async enrolPasskey(login: Login, name: string): Promise<void> {
    await this.addAuthenticator()
    await this.go('')
    await this.signIn(login)
    await this.heading('Protect your account')
    await this.button('Add a passkey').click()
    await this.page.getByLabel('Name of the passkey').fill(name)
    await this.button('Add the passkey').click()
    await this.prove(login, () => this.heading('Overview'))
  }
}

/** Opens a window. Errors in the browser and requests to other hosts are added to `complaints`. */
export async function openDashboardWindow(
  browser: Browser,
  service: TestService,
  complaints: string[],
): Promise<DashboardWindow> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-GB' })
  const page = await context.newPage()
  page.on('console', (message) => {
    // The browser itself reports every refusal, including those that the page expects and explains.
    if (message.type() === 'error' && !/status of (?:40[139]|422)/.test(message.text()))
      complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    const isOurs = request.url().startsWith(`${originOf(service)}/`) || request.url().startsWith('data:')
    if (!isOurs) complaints.push(`asked ${request.url()}`)
    if (JSON.stringify(request.headers()).includes('sk_test_')) complaints.push('sent a key')
  })
  return new DashboardWindow(context, page, originOf(service))
}

/** Follows a link that is on every page of the dashboard while this lasts. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    const link = document.body.appendChild(document.createElement('a'))
    link.href = ${JSON.stringify(path)}
    link.click()
    link.remove()
  }`)
}

/** The complaints since the last call, from the browser and from the service's log. */
export function takeComplaints(service: TestService, complaints: string[]): string[] {
  const failures = service.logged
    .splice(0)
    .filter(({ err, msg }) => err !== undefined && !isListenerStarved(`${msg}`))
  return [...complaints.splice(0), ...failures.map(({ err }) => JSON.stringify(err))]
}

/** A listener gives PostgreSQL five seconds to answer, then polls and reconnects. A busy machine may take longer. */
function isListenerStarved(message: string): boolean {
  return /^lost (change )?notifications/.test(message)
}

/** Presses `g` and a letter, which lead to a page if the second key follows soon enough; repeats this if it did not. */
export async function goByKeys(page: Page, letter: string, heading: string): Promise<void> {
  const pressed = async () => {
    await page.keyboard.press('g')
    await page.keyboard.press(letter)
    const there = page.getByRole('heading', { name: heading, level: 1 }).waitFor({ timeout: 2_000 })
    return there.then(
      () => true,
      () => false,
    )
  }
  await expect.poll(pressed).toBe(true)
}
