/** What the guides at `/guides/` hold, in reading order. Their sources are the Markdown files of this project. */

export type Guide = {
  /** Its address: `/guides/<slug>`. */
  readonly slug: string
  /** Its source, from the root of the project. */
  readonly source: string
  /** Its short name in the list of guides. */
  readonly name: string
  /** What a reader finds there, in one sentence. */
  readonly summary: string
}

export type Section = { readonly name: string; readonly guides: readonly Guide[] }

function guide(slug: string, source: string, name: string, summary: string): Guide {
  return { slug, source, name, summary }
}

export const sections: readonly Section[] = [
  {
    name: 'Start',
    guides: [
      guide(
        'concepts',
        'docs/guides/concepts.md',
        'Concepts in ten minutes',
        'Invoices, addresses, payouts, balances and events, and how they fit together.',
      ),
      guide(
        'quickstart-curl',
        'docs/quickstart/curl.md',
        'Quick start: curl',
        'A paid test invoice and its webhook, from a terminal.',
      ),
      guide(
        'quickstart-typescript',
        'docs/quickstart/typescript.md',
        'Quick start: TypeScript',
        'The same with the client for TypeScript.',
      ),
      guide(
        'quickstart-python',
        'docs/quickstart/python.md',
        'Quick start: Python',
        'The same with the client for Python.',
      ),
      guide(
        'quickstart-php',
        'docs/quickstart/php.md',
        'Quick start: PHP',
        'The same with the client for PHP.',
      ),
      guide(
        'quickstart-go',
        'docs/quickstart/go.md',
        'Quick start: Go',
        'The same with nothing but Go’s standard library.',
      ),
    ],
  },
  {
    name: 'Build',
    guides: [
      guide('invoices', 'docs/invoices.md', 'Invoices', 'The states of an invoice, and what counts as paid.'),
      guide(
        'checkout',
        'docs/checkout.md',
        'The payment page',
        'What the payer sees, your brand on it, and how to embed it.',
      ),
      guide(
        'webhooks',
        'docs/receiving-webhooks.md',
        'Receiving webhooks',
        'Verify, deduplicate, respond fast, catch up.',
      ),
      guide(
        'shops',
        'docs/guides/shops.md',
        'Shops',
        'Connect a shop by one click, and how a plugin does it.',
      ),
      guide(
        'woocommerce',
        'docs/guides/woocommerce.md',
        'WooCommerce',
        'Install the plugin, connect the shop, and what happens to its orders.',
      ),
      guide(
        'payouts',
        'docs/payouts.md',
        'Payouts and refunds',
        'Approval, policy, fees, and what to do when one waits.',
      ),
      guide(
        'testing',
        'docs/guides/testing.md',
        'Testing',
        'Play the payer and the miner in your own test suite.',
      ),
      guide(
        'cli',
        'docs/cli.md',
        'The command line',
        'Webhooks on your own machine, and payments on demand.',
      ),
      guide(
        'client-typescript',
        'sdk/README.md',
        'Client: TypeScript',
        'Every operation typed, retries, idempotency, webhooks.',
      ),
      guide(
        'medusa',
        'shops/medusa/README.md',
        'Shop: Medusa',
        'The payment provider: install, configure, refund.',
      ),
      guide(
        'vendure',
        'shops/vendure/README.md',
        'Shop: Vendure',
        'The payment plugin: install, configure, refund.',
      ),
      guide('clients', 'clients/README.md', 'Clients: Python and PHP', 'The same manners in two languages.'),
      guide(
        'errors',
        'docs/guides/errors.md',
        'Errors',
        'Every code: what it means, what to do, whether to send the request again.',
      ),
      guide(
        'reconciliation',
        'docs/guides/reconciliation.md',
        'Reconciliation',
        'What to compare at the end of the day, and how the ledger proves itself.',
      ),
    ],
  },
  {
    name: 'Go live',
    guides: [
      guide(
        'going-live',
        'docs/guides/going-live.md',
        'Going live',
        'From the sandbox to real money in nine steps, each with its check.',
      ),
      guide(
        'troubleshooting',
        'docs/guides/troubleshooting.md',
        'Troubleshooting',
        'What you see, why, and what to do.',
      ),
      guide(
        'versioning',
        'docs/guides/versioning.md',
        'Versions and deprecation',
        'What may change under your code, and what may not.',
      ),
      guide(
        'moving',
        'docs/guides/moving.md',
        'Moving to Sluice',
        'From BTCPay Server, NOWPayments or Coinbase Commerce: their fields and ours.',
      ),
    ],
  },
  {
    name: 'Work with it',
    guides: [
      guide(
        'dashboard',
        'docs/dashboard.md',
        'The dashboard',
        'Signing in, roles, approving payouts, and what each page shows.',
      ),
      guide(
        'security',
        'docs/security.md',
        'Security',
        'What each stolen thing is worth, and what is not defended.',
      ),
      guide('glossary', 'docs/GLOSSARY.md', 'Glossary', 'Every term, defined once.'),
    ],
  },
  {
    name: 'Operate',
    guides: [
      guide(
        'running',
        'docs/operating/running.md',
        'Running Sluice',
        'Roles, users, the data folder, health, stopping and upgrading.',
      ),
      guide(
        'deploying',
        'docs/operating/deploy.md',
        'Deploying',
        'With containers, on Kubernetes, or from an archive.',
      ),
      guide('settings', 'docs/operating/settings.md', 'Settings', 'Every setting and its default.'),
      guide('wallets', 'docs/operating/wallets.md', 'Wallets', 'Seeds, limits, passkeys, the cold wallet.'),
      guide('bitcoin', 'docs/operating/bitcoin.md', 'Bitcoin and Litecoin nodes', 'Connecting your node.'),
      guide('evm', 'docs/operating/evm.md', 'EVM nodes', 'Connecting Ethereum, Polygon, Base and others.'),
      guide('solana', 'docs/operating/solana.md', 'Solana nodes', 'Connecting Solana.'),
      guide('xrp', 'docs/operating/xrp.md', 'XRP servers', 'Connecting the XRP Ledger.'),
      guide('backups', 'docs/operating/backups.md', 'Backups', 'Taking, testing and restoring them.'),
      guide('systemd', 'docs/operating/systemd.md', 'systemd units', 'Services with walls around them.'),
      guide('failover', 'docs/operating/failover.md', 'Failover', 'Losing a machine without losing money.'),
      guide('scale', 'docs/operating/scale.md', 'Scale', 'What it costs, what one machine carries.'),
      guide('tracing', 'docs/operating/tracing.md', 'Tracing', 'Requests followed to their webhooks.'),
      guide(
        'changelog',
        'CHANGELOG.md',
        'Changelog',
        'What each version brings, and what an upgrade asks of you.',
      ),
      guide('runbook', 'docs/operating/runbook.md', 'Runbook', 'A section for each alert.'),
    ],
  },
]

/** All guides, in reading order. */
export const guides: readonly Guide[] = sections.flatMap((section) => section.guides)

/** Files that guides link to and that are shown as they are. */
export const listings: Readonly<Record<string, string>> = {
  'receiver.ts': 'docs/receiving/receiver.ts',
  'receiver.py': 'docs/receiving/receiver.py',
  'receiver.php': 'docs/receiving/receiver.php',
}
