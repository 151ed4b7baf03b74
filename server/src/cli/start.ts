import { type Command, Option } from 'commander'
import { createDemo, type Demo } from '../app/merchants/create-demo.ts'
import type { Log } from '../log.ts'
import { answer, explaining, withJson } from './answer.ts'
import { type ServiceRole, serviceRoles, type Tools } from './tools.ts'

export function addStart(program: Command, tools: Tools): void {
  withJson(program.command('start'))
    .description('run the service until it is told to stop')
    .addOption(
      new Option('--role <role>', 'everything in one process, or one part of it')
        .choices([...serviceRoles])
        .default('all'),
    )
    .action((options: { role: ServiceRole }, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const log = tools.createLog(settings.logLevel)
        const told = waitForSignal(log)
        const service = await tools.startService(settings, options.role, log)
        try {
          // Merchants of a database that the operator brought are the operator's to make.
          const mayDemo = settings.databaseUrl === null && service.url !== null
          const demo = mayDemo ? await createDemo(service.app) : null
          answer(
            command,
            { url: service.url, ...(demo && { merchant_id: demo.merchantId, test_key: demo.key }) },
            welcome(service.url, demo),
          )
          await told
        } finally {
          await service.stop()
        }
        log.info('stopped')
      }),
    )
}

/** Resolves at the first SIGINT or SIGTERM; at the second the process ends at once. */
function waitForSignal(log: Log): Promise<void> {
  return new Promise((resolve) => {
    let told = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (told) process.exit(1)
      told = true
      log.info({ signal }, 'stopping: requests in flight are finished first')
      resolve()
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}

function welcome(url: string | null, demo: Demo | null): string {
  if (url === null) return 'Sluice is working. Stop it with Ctrl-C.'
  const lines = [
    '',
    `Sluice is ready at ${url}`,
    '',
    `  API reference  ${url}/docs`,
    `  Currencies     ${url}/api/v1/currencies`,
  ]
  if (demo === null) {
    lines.push('', 'Make a key: npx sluice key create --help')
  } else {
    lines.push(
      '',
      'A demo merchant was made for you. Its test key is shown this once:',
      '',
      `  ${demo.key}`,
      '',
      'A first invoice:',
      '',
      `  curl ${url}/api/v1/invoices -H "X-API-Key: ${demo.key}" \\`,
      `    -H "Content-Type: application/json" -d '{"currency": "BTC", "amount": "0.01"}'`,
      '',
      'README.md shows how to pay it on the simulated network.',
    )
  }
  return [...lines, '', 'Stop it with Ctrl-C.', ''].join('\n')
}
