import { readFileSync } from 'node:fs';
import { openAuditKeys } from '@switchyard/db/audit';
import { openDatabase } from '@switchyard/db/process';
import { reportChains, type SavedChainHead } from '@switchyard/staff/audit-log';
import { z } from 'zod';
import { Problem } from '../bootstrap/problem.mjs';
import { resolveDatabase } from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';
import { readLocalSecrets } from '../stack/settings.ts';
import { fromHere } from './verb.ts';

const headSchema = z.object({
  tenantId: z.uuid(),
  position: z.int().min(0),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
});

const project = thisProject();

/** Progress and findings, with the seconds since the first call of this; standard output is for the heads. */
function stopwatch(): (line: string) => void {
  const began = performance.now();
  return (line) => console.error(`${((performance.now() - began) / 1_000).toFixed(1).padStart(7)} s  ${line}`);
}

/** The keys of the environment, else of this installation. */
function readKeys() {
  const { SWITCHYARD_AUDIT_KEYS: auditKeys, SWITCHYARD_ENCRYPTION_KEYS: given } = process.env;
  const encryptionKeys = given || readLocalSecrets(project, process.env).SWITCHYARD_ENCRYPTION_KEYS;
  if (encryptionKeys === undefined) throw new Problem('SWITCHYARD_ENCRYPTION_KEYS is not set.');
  return { auditKeys, encryptionKeys };
}

/** The heads of a file that an earlier run printed. Lines that npm adds are skipped. */
function readHeads(file: string): SavedChainHead[] {
  const lines = readFileSync(fromHere(file), 'utf8').split('\n');
  const heads = lines.filter((line) => line.startsWith('{')).map((line) => headSchema.parse(JSON.parse(line)));
  if (heads.length === 0) throw new Problem(`There is no head in ${file}.`);
  return heads;
}

/** `audit verify`: resolves with 0 when every chain is intact, 1 when one is not. Prints the head of each, a line of JSON, to keep. */
export async function verifyChains({
  merchant,
  head,
}: {
  merchant?: string | undefined;
  head?: string | undefined;
}): Promise<number> {
  const kept = head === undefined ? [] : readHeads(head);
  const query = { tenantId: merchant ?? null, kept };
  const output = { say: stopwatch(), printHead: (line: string) => console.log(line) };
  const auditKeys = openAuditKeys(readKeys());
  const database = openDatabase({ url: await resolveDatabase(project), maxConnections: 2 });
  try {
    return (await reportChains({ database, auditKeys }, query, output)) ? 0 : 1;
  } finally {
    await database.close();
  }
}
