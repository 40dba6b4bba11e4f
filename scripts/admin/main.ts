/**
 * `switchyard-admin <noun> <verb> [options]`, in a checkout `npm run admin -- <noun> <verb> [options]`: what operators do to an installation.
 * `--help` says which there are, and after a verb what it takes. The database is that of `DATABASE_URL`, else that of the running stack,
 * else the embedded one; secrets come from the environment alone. Only the modules of the verb that is called are loaded.
 *
 * Exits with 0 when all is well, 1 when something was found or refused, 2 when the command could not run (1 for `owner create` and for
 * `database`), 130 when it was interrupted.
 */
import { runCommand } from '../stack/command.ts';
import { readCommandLine, runCommandLine } from './command-line.ts';

const UNKNOWN = 2;

const program = process.env.npm_lifecycle_event === 'admin' ? 'npm run admin --' : 'switchyard-admin';
const commandLine = readCommandLine(process.argv.slice(2), program);
const { failed = UNKNOWN, hint, lingers = false } = commandLine.verb ?? {};
await runCommand(() => runCommandLine(commandLine, console.log), { failed, ...(hint !== undefined && { hint }) });
if (lingers) process.exit();
