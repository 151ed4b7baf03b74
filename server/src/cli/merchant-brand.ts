import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app/app.ts'
import { changeSettings } from '../app/merchants/change-settings.ts'
import { readSettings } from '../app/merchants/read-settings.ts'
import { setLogo } from '../app/merchants/set-logo.ts'
import { maxLogoBytes, readColour } from '../domain/brand.ts'
import { ServiceError } from '../domain/errors.ts'
import { actorFrom, withName } from './acting.ts'
import { runOnApp, withJson } from './answer.ts'
import { readId, readName } from './arguments.ts'
import { knownMerchant } from './merchant-policy.ts'
import type { Tools } from './tools.ts'

type BrandOptions = {
  readonly merchant: string
  readonly name?: string
  readonly colour?: string
  readonly logo?: string
  readonly embedOrigin?: readonly string[]
  readonly currencyOrder?: readonly string[]
  readonly networkOrder?: readonly string[]
  readonly as?: string
}

const none = 'none'

export function addBrandCommand(merchant: Command, tools: Tools): void {
  withName(withJson(merchant.command('brand')))
    .description('show or change the look of a merchant’s payment page, and the sites that may embed it')
    .requiredOption('--merchant <id>', 'the merchant', readId)
    .option('--name <name>', 'the name that payers see at the top', readName)
    .option('--colour <#rrggbb>', 'the colour of buttons; none for the default', readColourOption)
    .option(
      '--logo <file>',
      `a PNG, JPEG, WebP or GIF of at most ${maxLogoBytes / 1024} KiB; none to remove it`,
    )
    .option(
      '--embed-origin <url...>',
      'sites that may embed the page, such as https://shop.example.com; none for no site',
    )
    .option(
      '--currency-order <code...>',
      'the currencies that payers see first, such as USDC BTC; none for the usual order',
    )
    .option(
      '--network-order <id...>',
      'the networks that payers see first in a currency, such as solana base; none for the usual order',
    )
    .addHelpText(
      'after',
      '\nExample:\n  $ npx sluice merchant brand --merchant ID --colour "#0a7cff" --logo logo.png --embed-origin https://shop.example.com',
    )
    .action((options: BrandOptions, command: Command) =>
      runOnApp(tools, command, (app) => setBrand(app, options), inWords),
    )
}

async function setBrand(app: App, options: BrandOptions) {
  await knownMerchant(app, options.merchant)
  const { name, merchant: id } = options
  const colour = options.colour === none ? null : options.colour
  const embedOrigins = listFrom('--embed-origin', options.embedOrigin)
  const currencyOrder = listFrom('--currency-order', options.currencyOrder)
  const networkOrder = listFrom('--network-order', options.networkOrder)
  const logo = options.logo === undefined || options.logo === none ? null : await readFile(options.logo)
  const by = actorFrom(options)
  const { merchant, brand } = await app.transaction(async (tx) => {
    // All changes or none.
    const within: App = { ...app, store: tx, transaction: (work) => work(tx) }
    await changeSettings(within, by, id, {
      ...(name !== undefined && { name }),
      ...(colour !== undefined && { colour }),
      ...(embedOrigins !== undefined && { embedOrigins }),
      ...(currencyOrder !== undefined && { currencyOrder }),
      ...(networkOrder !== undefined && { networkOrder }),
    })
    return options.logo === undefined ? readSettings(within, id) : setLogo(within, by, id, logo)
  })
  return {
    merchant_id: id,
    name: merchant.name,
    colour: brand.colour,
    logo: brand.logo === null ? null : { media_type: brand.logo.mediaType, bytes: brand.logo.bytes.length },
    embed_origins: [...brand.embedOrigins],
    currency_order: [...brand.order.currencies],
    network_order: [...brand.order.networks],
  }
}

function inWords(brand: Awaited<ReturnType<typeof setBrand>>): string {
  const logo = brand.logo === null ? 'none' : `${brand.logo.media_type}, ${brand.logo.bytes} bytes`
  return [
    `${brand.name}. Colour: ${brand.colour ?? 'default'}. Logo: ${logo}.`,
    `Sites that may embed the page: ${brand.embed_origins.join(', ') || 'none'}.`,
    `Payers see first: ${[...brand.currency_order, ...brand.network_order].join(', ') || 'the usual order'}.`,
  ].join('\n')
}

/** The list that an option names; empty for `none`, undefined without the option. */
function listFrom(option: string, given: readonly string[] | undefined): readonly string[] | undefined {
  if (given === undefined || !given.includes(none)) return given
  if (given.length > 1) throw wrong(`${option} takes either none or a list, not both.`)
  return []
}

function readColourOption(text: string): string {
  const colour = text === none ? none : readColour(text)
  if (colour === null) throw new InvalidArgumentError('It must look like #0a7cff, or be none.')
  return colour
}

function wrong(message: string): ServiceError {
  return new ServiceError('validation_error', message)
}
