import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { type Environment, environments } from '../domain/environment.ts'
import { passphraseInEnvironment, type Settings, SettingsError } from '../settings/settings.ts'
import { answer, explaining, runOnApp, withJson } from './answer.ts'
import { askHidden, canAsk, readInput } from './ask.ts'
import type { GivenSecret, Tools, WalletTools } from './tools.ts'
import { addWalletCoins } from './wallet-coins.ts'
import { addWalletCold } from './wallet-cold.ts'
import { addGiveUpCommand } from './wallet-give-up.ts'
import { addOutsideCommand } from './wallet-outside.ts'
import { addWalletReconcile } from './wallet-reconcile.ts'
import { addWalletRefill } from './wallet-refill.ts'
import { addWalletRescan } from './wallet-rescan.ts'
import { addWalletUnswept } from './wallet-unswept.ts'

type InitOptions = { environment: Environment; keyFile?: string; wordsFromStdin?: true }

export function addWalletCommands(program: Command, tools: Tools): void {
  const wallet = program.command('wallet').description('the wallet: the keys that receive and send funds')

  withJson(wallet.command('init'))
    .description('create an encrypted wallet and show its words once, or restore one from its words')
    .addOption(
      new Option('--environment <name>', 'the environment').choices([...environments]).default('live'),
    )
    .option(
      '--key-file <path>',
      'encrypt with the key in this file (created if missing) instead of a passphrase',
    )
    .option('--words-from-stdin', 'restore the wallet from the words on standard input')
    .addHelpText(
      'after',
      `
Run it on the signer’s machine: the wallet is kept in SLUICE_DATA_DIR/wallet. It asks for the passphrase or reads it
from the file SLUICE_WALLET_PASSPHRASE_FILE. The signer needs that file too, or SLUICE_WALLET_KEY_FILE. See
docs/operating/wallets.md.

Example:
  $ npx sluice wallet init --environment live`,
    )
    .action((options: InitOptions, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const words = options.wordsFromStdin ? await readInput('The words, in order: ') : null
        const secret = await secretFor(settings, options)
        const made = await tools.withApp(settings, tools.createLog(settings, 'warn'), (app) =>
          tools.wallet.init(app, settings, { environment: options.environment, words, secret }),
        )
        const { environment, fingerprint, path } = made
        answer(
          command,
          { environment, wallet: fingerprint, path, ...(made.words !== null && { words: made.words }) },
          initInWords(made),
        )
      }),
    )

  withJson(wallet.command('addresses'))
    .description('list the wallet’s public keys and addresses by network')
    .action((_options, command: Command) =>
      runOnApp(
        tools,
        command,
        async (app) => ({
          wallets: (await tools.wallet.addresses(app)).map(({ networks, ...each }) => ({
            ...each,
            networks: networks.map(({ network, account, hotWallet, firstDeposit, firstDepositTag }) => ({
              network,
              account_key: account,
              hot_wallet: hotWallet,
              first_deposit_address: firstDeposit,
              first_deposit_tag: firstDepositTag,
            })),
          })),
        }),
        ({ wallets }) =>
          wallets.length === 0
            ? 'There is no wallet yet. Start the service for a test wallet, or run: npx sluice wallet init'
            : wallets
                .flatMap(({ environment, wallet: id, networks }) => [
                  `${environment}: wallet ${id}`,
                  ...networks.map(
                    (each) =>
                      `  ${each.network.padEnd(10)} hot ${each.hot_wallet ?? '-'}  first deposit ${each.first_deposit_address ?? '-'}`,
                  ),
                ])
                .join('\n'),
      ),
    )

  addOutsideCommand(wallet, tools)
  addWalletCoins(wallet, tools)
  addWalletRescan(wallet, tools)
  addGiveUpCommand(wallet, tools)
  addWalletUnswept(wallet, tools)
  addWalletCold(wallet, tools)
  addWalletRefill(wallet, tools)

  addWalletReconcile(wallet, tools)
}

async function secretFor(settings: Settings, { keyFile, environment }: InitOptions): Promise<GivenSecret> {
  const path = keyFile ?? settings.walletKeyFile
  if (path !== null && path !== undefined) return { kind: 'key_file', path: resolve(path) }
  if (settings.walletPassphraseFile !== null)
    return { kind: 'passphrase_file', path: settings.walletPassphraseFile }
  if (settings.walletPassphrase !== null) {
    if (environment === 'live') throw new SettingsError(passphraseInEnvironment)
    return { kind: 'passphrase', reveal: settings.walletPassphrase }
  }
  if (!canAsk())
    throw new SettingsError(
      'A wallet must be encrypted. Set SLUICE_WALLET_PASSPHRASE_FILE, name a key file with --key-file, or run this in a terminal.',
    )
  const passphrase = await askHidden('A passphrase to encrypt the wallet: ')
  if ((await askHidden('The same passphrase again: ')) !== passphrase)
    throw new SettingsError('The two passphrases differ. Nothing was created.')
  return { kind: 'passphrase', reveal: () => passphrase }
}

function initInWords(made: Awaited<ReturnType<WalletTools['init']>>): string {
  const kept = `The ${made.environment} wallet ${made.fingerprint} is in ${made.path}, encrypted.`
  if (made.words === null) return `${kept}\nIt was restored from its words.`
  const words = made.words.split(' ')
  const rows = Array.from({ length: Math.ceil(words.length / 4) }, (_, row) =>
    words
      .slice(row * 4, row * 4 + 4)
      .map((word, at) => `${String(row * 4 + at + 1).padStart(4)}. ${word.padEnd(10)}`)
      .join(''),
  )
  return [
    kept,
    '',
    'These words are the wallet. They are shown only once:',
    '',
    ...rows,
    '',
    'Write them down on paper, in order, and keep them safe from fire and theft.',
    'Anyone who has them can take all funds. If both the words and the file are lost, the funds are lost.',
    'Never type them into anything but this command. No one from Sluice will ever ask for them.',
  ].join('\n')
}
