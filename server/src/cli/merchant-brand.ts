import { readFile } from 'node:fs/promises'
import { type Command, InvalidArgumentError } from 'commander'
import type { App } from '../app/app.ts'
import { imageType, maxEmbedOrigins, maxLogoBytes, readColour, readEmbedOrigin } from '../domain/brand.ts'
import { ServiceError } from '../domain/errors.ts'
import type { Logo, MerchantBrand } from '../store/merchant-brands.ts'
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
}

const none = 'none'

export function addBrandCommand(merchant: Command, tools: Tools): void {
  withJson(merchant.command('brand'))
    .description('show or change how a merchant’s payment page looks, and which sites may show it in a frame')
    .requiredOption('--merchant <id>', 'whose', readId)
    .option('--name <name>', 'what payers read at the top', readName)
    .option('--colour <#rrggbb>', 'the colour of buttons; none for ours', readColourOption)
    .option(
      '--logo <file>',
      `a PNG, JPEG, WebP or GIF of at most ${maxLogoBytes / 1024} KiB; none for no picture`,
    )
    .option(
      '--embed-origin <url...>',
      'the sites that may show the page in a frame, such as https://shop.example.com; none for no site',
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
  const { name } = await knownMerchant(app, options.merchant)
  // Everything is read and judged before anything is written.
  const colour = options.colour === none ? null : options.colour
  const logo =
    options.logo === none ? null : options.logo === undefined ? undefined : await readLogo(options.logo)
  const embedOrigins = options.embedOrigin === undefined ? undefined : originsFrom(options.embedOrigin)
  const brand = await app.transaction(async (tx) => {
    if (options.name !== undefined) await tx.merchants.rename(options.merchant, options.name)
    const before = await tx.merchantBrands.find(options.merchant)
    const after: MerchantBrand = {
      colour: colour === undefined ? before.colour : colour,
      logo: logo === undefined ? before.logo : logo,
      embedOrigins: embedOrigins ?? before.embedOrigins,
    }
    if (colour !== undefined || logo !== undefined || embedOrigins !== undefined)
      await tx.merchantBrands.set(options.merchant, after)
    return after
  })
  return {
    merchant_id: options.merchant,
    name: options.name ?? name,
    colour: brand.colour,
    logo: brand.logo === null ? null : { media_type: brand.logo.mediaType, bytes: brand.logo.bytes.length },
    embed_origins: [...brand.embedOrigins],
  }
}

function inWords(brand: Awaited<ReturnType<typeof setBrand>>): string {
  const logo = brand.logo === null ? 'none' : `${brand.logo.media_type}, ${brand.logo.bytes} bytes`
  return [
    `${brand.name}. Colour: ${brand.colour ?? 'ours'}. Picture: ${logo}.`,
    `Sites that may show the page in a frame: ${brand.embed_origins.join(', ') || 'none'}.`,
  ].join('\n')
}

async function readLogo(path: string): Promise<Logo> {
  const bytes = await readFile(path)
  if (bytes.length > maxLogoBytes)
    throw wrong(`${path} has ${bytes.length} bytes; a picture has at most ${maxLogoBytes}. Make it smaller.`)
  const mediaType = imageType(bytes)
  if (mediaType === null)
    throw wrong(
      `${path} is no PNG, JPEG, WebP or GIF. Save the picture in one of these forms; SVG is not taken.`,
    )
  return { mediaType, bytes }
}

function originsFrom(given: readonly string[]): string[] {
  if (given.includes(none)) {
    if (given.length > 1) throw wrong('--embed-origin is either none or a list of sites, not both.')
    return []
  }
  const origins = given.map((text) => {
    const origin = readEmbedOrigin(text)
    if (origin === null)
      throw wrong(
        `${text} is no site that may show the page: it must be like https://shop.example.com, without a path; http only on localhost.`,
      )
    return origin
  })
  if (origins.length > maxEmbedOrigins) throw wrong(`At most ${maxEmbedOrigins} sites can be listed.`)
  return [...new Set(origins)]
}

function readColourOption(text: string): string {
  const colour = text === none ? none : readColour(text)
  if (colour === null) throw new InvalidArgumentError('It must be like #0a7cff, or none.')
  return colour
}

function wrong(message: string): ServiceError {
  return new ServiceError('validation_error', message)
}
