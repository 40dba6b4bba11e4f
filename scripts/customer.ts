/**
 * Exports or erases a merchant's customer, found by e-mail address, phone number or the merchant's id of the customer, in the database
 * of `DATABASE_URL`, else that of the running stack, else the embedded one. Processes go on meanwhile.
 *
 *   npm run customer:export -- --merchant M-100001 --email ada@example.com [--mode live] [--out FOLDER]
 *   npm run customer:erase  -- --merchant M-100001 --phone 08031234567 [--mode live]
 *   npm run customer:erase  -- --merchant M-100001 --phone 08031234567 --confirm "erase 3 payments"
 *
 * Erasing without `--confirm` only says what would be erased, and what to confirm. It cannot be undone.
 * Ends with 0 when it was done or previewed, 1 when it was refused or nothing was found, 2 when it could not be done.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { newId } from '@switchyard/db';
import { findMerchant, listMerchants } from '@switchyard/merchants/console/merchants';
import { runCustomerCommand } from '@switchyard/privacy/commands';
import type { RuntimeContext } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';
import { resolveDatabase } from './stack/database.ts';
import { thisProject } from './stack/project.ts';
import { readLocalSecrets } from './stack/settings.ts';

const USAGE =
  'usage: npm run customer:export|customer:erase -- --merchant NUMBER_OR_ID [--mode live|test] --email|--phone|--customer-id VALUE';

const project = thisProject();

function readArguments() {
  const text = { type: 'string' } as const;
  const options = { merchant: text, mode: text, email: text, phone: text, 'customer-id': text, out: text, confirm: text };
  const { values, positionals } = readOptions(USAGE, { options, allowPositionals: true });
  const [task, ...rest] = positionals;
  const { merchant, mode = 'live' } = values;
  if (rest.length > 0 || (task !== 'export' && task !== 'erase') || merchant === undefined) throw new Problem(USAGE);
  if (mode !== 'live' && mode !== 'test') throw new Problem('--mode must be live or test', [USAGE]);
  return { task, mode, merchant, values } as const;
}

/** The secrets of the environment, else of this installation for its own database: the audit log names customers by a hash under one of them. */
async function openContext(): Promise<RuntimeContext> {
  const DATABASE_URL = await resolveDatabase(project);
  const local = readLocalSecrets(project, process.env);
  const environment = { SWITCHYARD_PUBLIC_URL: 'http://localhost', ...local, ...process.env, DATABASE_URL };
  const resources = openResources(environment, () => undefined);
  return { resources, now: () => new Date(), newId };
}

async function findMerchantId(context: RuntimeContext, numberOrId: string): Promise<string> {
  const byId = await findMerchant(context, numberOrId);
  if (byId !== null) return byId.id;
  const found = await listMerchants(context, { search: numberOrId, limit: 100 });
  const exact = found.find(({ merchantNumber }) => merchantNumber === numberOrId);
  if (exact === undefined) throw new Problem(`There is no merchant ${numberOrId}.`, ['Give its number (M-100001) or its id.']);
  return exact.id;
}

/** Writes a file of personal data, for its owner alone. */
function fileWriter(folder: string) {
  return (name: string, text: string): void => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    console.log(`Wrote ${join(folder, name)}`);
  };
}

await runCommand(async () => {
  const { task, mode, merchant, values } = readArguments();
  const context = await openContext();
  try {
    const merchantId = await findMerchantId(context, merchant);
    const { email = null, phone = null, 'customer-id': customerId = null, confirm: confirmation } = values;
    const command = { task, subject: { merchantId, mode, email, phone, customerId }, confirmation } as const;
    const writeFile = fileWriter(resolve(process.env.INIT_CWD ?? process.cwd(), values.out ?? '.'));
    const isDone = await runCustomerCommand(context, command, { print: console.log, printError: console.error, writeFile });
    return isDone ? 0 : 1;
  } finally {
    await context.resources.close();
  }
});
