import type { Command } from 'commander'
import { runOnApp, withJson } from './answer.ts'
import type { Tools } from './tools.ts'

export function addMigrate(program: Command, tools: Tools): void {
  withJson(program.command('migrate'))
    .description('update the database schema to this version (start does it too)')
    .action((_options, command: Command) =>
      runOnApp(
        tools,
        command,
        // Opening the database migrates it.
        async () => ({ migrated: true }),
        () => 'The database has the schema of this version.',
      ),
    )
}
