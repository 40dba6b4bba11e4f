/**
 * Verifies the hash chains of the audit log, in the database of `DATABASE_URL`, else that of the running stack, else the embedded one,
 * with the keys of `SWITCHYARD_AUDIT_KEYS` and `SWITCHYARD_ENCRYPTION_KEYS`, else, for the latter two, those of this installation.
 *
 *   npm run audit:verify                        every chain
 *   npm run audit:verify -- --merchant ID       the chain of one merchant
 *   npm run audit:verify -- --head FILE         also against heads that were kept, so that a chain cut off at its end is detected
 *   npm run audit:key                           marks chains from before there were keys as keyed from here on; once, after upgrading
 *
 * Prints the head of each chain to standard output, a line of JSON each, to keep where accounts of the database cannot write;
 * `--head` reads such a file. Exits with 0 when every chain is intact, 1 when one is not, 2 when the check could not run.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { openAuditKeys } from '@switchyard/db/audit-keys';
import { openDatabase } from '@switchyard/db/process';
import { keyAuditChains, reportChains, type SavedChainHead } from '@switchyard/staff/audit-log';
import { z } from 'zod';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';
import { resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';
import { readLocalSecrets } from './stack/settings.ts';

const USAGE = 'usage: npm run audit:verify [-- --merchant ID] [--head FILE], or npm run audit:key';

const headSchema = z.object({
  tenantId: z.uuid(),
  position: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const project = thisProject();
const began = performance.now();

/** Progress and findings; standard output is for the heads. */
function say(line: string): void {
  console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

function readArguments() {
  const options = { merchant: { type: 'string' }, head: { type: 'string' } } as const;
  const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
  const [what, ...rest] = positionals;
  const isMerchant = values.merchant === undefined || z.uuid().safeParse(values.merchant).success;
  if ((what !== 'verify' && what !== 'key') || rest.length > 0 || !isMerchant) throw new Problem(USAGE);
  return { what, ...values };
}

function readKeys() {
  const { SWITCHYARD_AUDIT_KEYS: auditKeys, SWITCHYARD_ENCRYPTION_KEYS: given } = process.env;
  const encryptionKeys = given || readLocalSecrets(project, process.env).SWITCHYARD_ENCRYPTION_KEYS;
  if (encryptionKeys === undefined) throw new Problem('SWITCHYARD_ENCRYPTION_KEYS is not set.');
  return { auditKeys, encryptionKeys };
}

/** The heads of a file that an earlier run printed. Lines that npm adds are skipped. */
function readHeads(file: string): SavedChainHead[] {
  const lines = readFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), file), 'utf8').split('\n');
  const heads = lines.filter((line) => line.startsWith('{')).map((line) => headSchema.parse(JSON.parse(line)));
  if (heads.length === 0) throw new Problem(`There is no head in ${file}.`);
  return heads;
}

await runCommand(async () => {
  const { what, merchant, head } = readArguments();
  const kept = head === undefined ? [] : readHeads(head);
  const auditKeys = openAuditKeys(readKeys());
  const database = openDatabase({ url: await resolveDatabase(project), maxConnections: 2 });
  try {
    if (what === 'key') {
      say(`${await keyAuditChains({ database, auditKeys }, new Date())} chains were keyed.`);
      return 0;
    }
    const query = { tenantId: merchant ?? null, kept };
    const output = { say, printHead: (line: string) => console.log(line) };
    return (await reportChains({ database, auditKeys }, query, output)) ? 0 : 1;
  } finally {
    await database.close();
  }
});
