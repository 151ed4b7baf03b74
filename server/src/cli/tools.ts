import type { App } from '../app/app.ts'
import type { Demo } from '../app/merchants/create-demo.ts'
import type { Finding } from '../app/operator/judge-health.ts'
import type { Environment } from '../domain/environment.ts'
import type { TrialReport } from '../domain/gate-trial.ts'
import type { ApprovalKind } from '../domain/payout-policy.ts'
import type { Log } from '../log.ts'
import type { Settings } from '../settings/settings.ts'
import type { WebhookSender } from './developer/forward.ts'

export const serviceRoles = ['all', 'api', 'worker', 'signer'] as const
export type ServiceRole = (typeof serviceRoles)[number]

/** The processes of a running service. */
export type Processes = {
  /** The URL of the API, or null if these processes have none. */
  readonly url: string | null
  readonly demo: Demo | null
  /** Whether there is no merchant, so that nothing can be done yet. */
  readonly isEmpty: boolean
  /** Resolves with the exit code if the process of API and worker ends without being told to. */
  readonly ended: Promise<number>
  /** Stops API and worker, then the signer, then the embedded database. */
  stop(): Promise<void>
  /** Makes a stop, begun or not, wait for no caller. */
  hurry(): void
}

/** What the commands need from the rest of the service. */
export type Tools = {
  /** This Sluice's version. */
  readonly version: string
  readSettings(): Settings
  createLog(settings: Settings, level: string): Log
  /** The demo's key and login as the first start created them; null if they are not kept, or no longer. */
  readDemo(settings: Settings): Promise<Demo | null>
  /** Starts the processes of a role and returns when they are ready. */
  startProcesses(settings: Settings, role: ServiceRole, log: Log, isDemoAsked: boolean): Promise<Processes>
  /** Opens the database, runs `work` and closes it again. Works whether or not the service is running. */
  withApp<T>(settings: Settings, log: Log, work: (app: App) => Promise<T>): Promise<T>
  /** Posts as deliveries are posted, to one URL that the developer chose. */
  openWebhookSender(url: string): Promise<WebhookSender>
  /** Checks the set-up, and changes nothing. */
  checkSetUp(settings: Settings, log: Log): Promise<readonly Finding[]>
  /** Tries the servers with these URLs; with none, those of the network's gate in the settings. */
  tryGate(
    wanted: {
      readonly network: string
      readonly urls: readonly string[]
      readonly chain: string | null
      readonly cookieFile: string | null
      readonly blocks: number
    },
    settings: Settings | null,
  ): Promise<TrialReport>
  readonly wallet: WalletTools
  readonly passkeys: PasskeyTools
  readonly signer: SignerTools
  readonly backup: BackupTools
}

/** The secret that encrypts a wallet: a passphrase, which is never printed, or a file with one or with a key. */
export type GivenSecret =
  | { readonly kind: 'passphrase'; reveal(): string }
  | { readonly kind: 'passphrase_file' | 'key_file'; readonly path: string }

/** Operations that need the wallet folder. */
export type WalletTools = {
  /** Creates a wallet, or restores one from `words`; the returned words are null then. */
  init(
    app: App,
    settings: Settings,
    wanted: { environment: Environment; words: string | null; secret: GivenSecret },
  ): Promise<{ environment: Environment; fingerprint: string; path: string; words: string | null }>
  addresses(app: App): Promise<
    readonly {
      readonly environment: Environment
      readonly wallet: string
      readonly networks: readonly {
        readonly network: string
        readonly account: string | null
        readonly hotWallet: string | null
        readonly firstDeposit: string | null
        readonly firstDepositTag: string | null
      }[]
    }[]
  >
  /**
   * Makes the signer's journal and the database agree. `accepted` are transactions settled by hand. `skipAddresses` is
   * how many deposit addresses to skip where the journal does not say how many were handed out.
   */
  reconcile(
    app: App,
    settings: Settings,
    stated: { readonly accepted: readonly string[]; readonly skipAddresses: number | null },
  ): Promise<Reconciled>
}

/** The result of reconciling. */
export type Reconciled = {
  readonly transactions: readonly {
    readonly hash: string
    readonly gateId: string
    readonly kind: string
    readonly payoutIds: readonly string[]
    readonly outcome: 'journaled' | 'restored' | 'lost' | 'unresolved'
    readonly reason: string | null
  }[]
  readonly addresses: readonly {
    readonly keychain: string
    readonly outcome: 'skipped' | 'unresolved'
    readonly skipped: number
    readonly reason: string | null
  }[]
}

/** Operations that need the file in which the signer keeps the passkeys it trusts. */
export type PasskeyTools = {
  list(
    app: App,
    settings: Settings,
    environment: Environment,
    merchantId: string,
  ): Promise<{
    readonly path: string
    /** The rules for approvals that are in force there. */
    readonly policy: { readonly approval: ApprovalKind; readonly approvalsRequired: number }
    readonly passkeys: readonly {
      readonly fingerprint: string
      readonly userId: string
      readonly email: string | null
      readonly trusted: {
        readonly how: 'first_sight' | 'vouched' | 'operator'
        readonly at: Date
        /** When its signatures begin to count. */
        readonly from: Date
      } | null
    }[]
  }>
  /** Returns from when the passkey's signatures count. */
  trust(app: App, settings: Settings, passkey: NamedPasskey): Promise<Date>
  forget(settings: Settings, passkey: NamedPasskey): Promise<void>
  /** Returns from when a weaker rule counts; null when nothing is weakened. */
  require(
    settings: Settings,
    wanted: {
      readonly environment: Environment
      readonly merchantId: string
      readonly approval: ApprovalKind
      readonly approvalsRequired: number
    },
  ): Promise<Date | null>
}

type NamedPasskey = {
  readonly environment: Environment
  readonly merchantId: string
  readonly fingerprint: string
}

/** Operations that need the file in which the signer keeps the operator's settings. */
export type SignerTools = {
  settings(
    settings: Settings,
    environment: Environment,
  ): Promise<{
    readonly path: string
    readonly inForce: readonly { readonly name: string; readonly shown: string }[]
    readonly waiting: readonly { readonly name: string; readonly change: string; readonly from: Date }[]
    /** Whether the configuration is other than what the signer found at its last start. */
    readonly isChanged: boolean
  }>
}

/** Which parts of a Sluice are on this machine, or are to be backed up from it. */
export type BackupPart = 'all' | 'database' | 'wallet'

/** Operations that take, read and test backups. `say` tells the operator what is being done. */
export type BackupTools = {
  /** A new pair of keys, as the program age writes it. */
  keygen(): Promise<{ readonly identity: string; readonly recipient: string }>
  /** Takes one backup, and removes those that are too many. */
  take(
    settings: Settings,
    log: Log,
    wanted: { readonly to: string | null; readonly part: BackupPart; readonly keep: number },
    say: (message: string) => void,
  ): Promise<{
    readonly target: string
    /** Null if the database was not asked for. */
    readonly base: { readonly id: string; readonly finishedAt: string; readonly bytes: number } | null
  }>
  /** Backs up continuously until the signal. */
  follow(
    settings: Settings,
    log: Log,
    wanted: {
      readonly to: string | null
      readonly part: BackupPart
      readonly keep: number
      readonly everyMs: number
      readonly flushMs: number
      readonly signal: AbortSignal
    },
    say: (message: string) => void,
  ): Promise<{
    /** Whether everything was stored when it stopped. */
    readonly isStored: boolean
  }>
  restore(
    settings: Settings,
    wanted: RestoreWanted & { readonly dataDir: string },
    say: (message: string) => void,
  ): Promise<RestoredBackup>
  /** Restores into a folder that is removed again, and audits what is there. */
  verify(
    settings: Settings,
    log: Log,
    wanted: RestoreWanted & { readonly scratch: string | null },
    say: (message: string) => void,
  ): Promise<{
    readonly ok: boolean
    readonly differences: readonly string[]
    readonly restored: RestoredBackup
    readonly seconds: number
  }>
}

export type RestoreWanted = {
  readonly from: string | null
  readonly identityFile: string
  readonly at: Date | null
}

export type RestoredBackup = {
  readonly baseId: string
  readonly isEmbedded: boolean
  readonly cluster: string
  /** The last commit that was restored from the log; null if the base had everything. */
  readonly lastCommit: Date | null
  readonly baseAt: string
  /** Whether everything stored was restored. */
  readonly isAll: boolean
  readonly walletAt: string | null
  readonly journals: readonly string[]
}
