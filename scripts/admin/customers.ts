import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '@switchyard/db';
import { findMerchant, listMerchants } from '@switchyard/merchants/console/merchants';
import { runCustomerCommand } from '@switchyard/privacy/customer-command';
import type { RuntimeContext } from '@switchyard/runtime';
import { openResources } from '@switchyard/runtime/resources';
import { Problem } from '../bootstrap/problem.mjs';
import { resolveDatabase } from '../stack/database.ts';
import { thisProject } from '../stack/project.ts';
import { readLocalSecrets } from '../stack/settings.ts';
import { fromHere } from './verb.ts';

const project = thisProject();

interface Customer {
  readonly merchant: string;
  readonly mode: 'live' | 'test';
  readonly email?: string | undefined;
  readonly phone?: string | undefined;
  readonly 'customer-id'?: string | undefined;
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

/** `customers export`: resolves with 0 when the files were written below `out`, 1 when nothing is held. */
export function exportCustomer({ out, ...customer }: Customer & { readonly out: string }): Promise<number> {
  return run('export', customer, { out });
}

/** `customers erase`: resolves with 0 when it was done or, without `confirm`, previewed, 1 when it was refused. */
export function eraseCustomer({ confirm, ...customer }: Customer & { readonly confirm?: string | undefined }): Promise<number> {
  return run('erase', customer, { confirm });
}

async function run(
  task: 'export' | 'erase',
  customer: Customer,
  { out = '.', confirm: confirmation }: { readonly out?: string; readonly confirm?: string | undefined },
): Promise<number> {
  const { merchant, mode, email = null, phone = null, 'customer-id': customerId = null } = customer;
  const context = await openContext();
  try {
    const merchantId = await findMerchantId(context, merchant);
    const command = { task, subject: { merchantId, mode, email, phone, customerId }, confirmation } as const;
    const writeFile = fileWriter(fromHere(out));
    const isDone = await runCustomerCommand(context, command, { print: console.log, printError: console.error, writeFile });
    return isDone ? 0 : 1;
  } finally {
    await context.resources.close();
  }
}
