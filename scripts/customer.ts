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
import { parseArgs } from 'node:util';
import { newId } from '@switchyard/db';
import { type MerchantsContext, openResources } from '@switchyard/merchants';
import { findMerchant, listMerchants } from '@switchyard/merchants/console';
import { eraseCustomer, exportCustomer, previewErasure, type SubjectInput } from '@switchyard/privacy';
import { asProblem, Problem, problemText } from './bootstrap/problem.mjs';
import { resolveDatabase } from './stack/database.ts';
import { stopPrograms } from './stack/programs.ts';
import { thisProject } from './stack/project.ts';
import { localSecrets } from './stack/settings.ts';

const USAGE =
  'usage: npm run customer:export|customer:erase -- --merchant NUMBER_OR_ID [--mode live|test] --email|--phone|--customer-id VALUE';
const ACTOR = 'system:customer-command';

const project = thisProject();

function readArguments() {
  const text = { type: 'string' } as const;
  const options = { merchant: text, mode: text, email: text, phone: text, 'customer-id': text, out: text, confirm: text };
  try {
    const { values, positionals } = parseArgs({ args: process.argv.slice(2), options, allowPositionals: true });
    const [task] = positionals;
    if (positionals.length !== 1 || (task !== 'export' && task !== 'erase') || values.merchant === undefined)
      throw new Error(USAGE);
    const { mode = 'live' } = values;
    if (mode !== 'live' && mode !== 'test') throw new Error('--mode must be live or test');
    return { task, mode, merchant: values.merchant, values } as const;
  } catch (error) {
    throw new Problem(
      error instanceof Error ? error.message : USAGE,
      error instanceof Error && error.message === USAGE ? [] : [USAGE],
    );
  }
}

/** The secrets of the environment, else of this installation: the audit log names customers by a hash under one of them. */
async function openContext(): Promise<MerchantsContext> {
  const DATABASE_URL = await resolveDatabase(project);
  const local = process.env.SWITCHYARD_KEY_PEPPER ? {} : localSecrets(project.secretsFile);
  const environment = { SWITCHYARD_PUBLIC_URL: 'http://localhost', ...local, ...process.env, DATABASE_URL };
  const resources = openResources(environment, () => undefined);
  return { resources, now: () => new Date(), newId };
}

async function findMerchantId(context: MerchantsContext, numberOrId: string): Promise<string> {
  const byId = await findMerchant(context, numberOrId);
  if (byId !== null) return byId.id;
  const found = await listMerchants(context, { search: numberOrId, limit: 100 });
  const exact = found.find(({ merchantNumber }) => merchantNumber === numberOrId);
  if (exact === undefined) throw new Problem(`There is no merchant ${numberOrId}.`, ['Give its number (M-100001) or its id.']);
  return exact.id;
}

type Arguments = ReturnType<typeof readArguments>;

async function runExport(context: MerchantsContext, subject: SubjectInput, { values }: Arguments): Promise<number> {
  const outcome = await exportCustomer(context, { subject, actor: ACTOR });
  if (outcome.kind !== 'exported') return refuse(outcome);
  const folder = resolve(process.env.INIT_CWD ?? process.cwd(), values.out ?? '.');
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ['customer.json', outcome.json],
    ['customer-payments.csv', outcome.csv],
  ] as const) {
    // Personal data: for its owner alone.
    writeFileSync(join(folder, name), text, { mode: 0o600 });
    console.log(`Wrote ${join(folder, name)}`);
  }
  console.log(`Everything held about the customer of ${inPayments(outcome.payments)}.`);
  return 0;
}

async function runErase(context: MerchantsContext, subject: SubjectInput, { values }: Arguments): Promise<number> {
  if (values.confirm !== undefined) {
    const outcome = await eraseCustomer(context, { subject, confirmation: values.confirm, actor: ACTOR });
    if (outcome.kind !== 'erased') return refuse(outcome);
    for (const [what, count] of Object.entries(outcome.counts))
      if (count > 0) console.log(`${String(count).padStart(6)}  ${what}`);
    console.log('Erased.');
    return 0;
  }
  const outcome = await previewErasure(context, subject);
  if (outcome.kind !== 'found') return refuse(outcome);
  const { preview } = outcome;
  const { payments, attempts, gatewayWebhooks, refunds, notes, savedViews, identifiers, blockers, sums } = preview;
  for (const [what, count] of Object.entries({ payments, attempts, gatewayWebhooks, refunds, notes, savedViews })) {
    console.log(`${String(count).padStart(6)}  ${what}`);
  }
  console.log(`Of: ${identifiers.join(', ') || 'no identifier'}`);
  for (const { currency, amount } of sums) console.log(`Stays: ${currency} ${amount.toLocaleString('en')}`);
  if (payments === 0 && savedViews === 0) return 1;
  for (const blocker of blockers) console.log(`Not now: ${blocker}`);
  if (blockers.length > 0) return 1;
  console.log(`Nothing was changed. To erase for good, run it again with --confirm "${preview.confirmation}"`);
  return 0;
}

type Refused = Exclude<
  Awaited<ReturnType<typeof eraseCustomer | typeof exportCustomer | typeof previewErasure>>,
  { kind: 'erased' | 'exported' | 'found' }
>;

function refuse(outcome: Refused): number {
  switch (outcome.kind) {
    case 'invalid':
      for (const { field, message } of outcome.problems) console.error(`${field} ${message}`);
      break;
    case 'nothing_found':
      console.error('Nothing is held about this customer.');
      break;
    case 'too_many':
      console.error('More than 10,000 payments: ask by a narrower identifier.');
      break;
    case 'not_confirmed':
      console.error(`Not confirmed. What is there now is confirmed by: --confirm "${outcome.confirmation}"`);
      break;
    case 'blocked':
      for (const blocker of outcome.blockers) console.error(`Not now: ${blocker}`);
      if (outcome.erasedPayments > 0)
        console.error(`${inPayments(outcome.erasedPayments)} were erased before; run it again later.`);
      break;
    default:
      outcome satisfies never;
  }
  return 1;
}

function inPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}

async function run(): Promise<number> {
  const args = readArguments();
  const context = await openContext();
  try {
    const merchantId = await findMerchantId(context, args.merchant);
    const { email = null, phone = null, 'customer-id': customerId = null } = args.values;
    const subject: SubjectInput = { merchantId, mode: args.mode, email, phone, customerId };
    return args.task === 'export' ? await runExport(context, subject, args) : await runErase(context, subject, args);
  } finally {
    await context.resources.close();
  }
}

try {
  process.exitCode = await run();
} catch (error) {
  console.error(problemText(asProblem(error, [`Logs: ${project.logs}`])));
  process.exitCode = 2;
}
await stopPrograms();
