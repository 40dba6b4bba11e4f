import { formatMoney } from '@switchyard/routing';
import type { PrivacyContext } from '../context.ts';
import { type EraseCustomerOutcome, eraseCustomer, type PreviewErasureOutcome, previewErasure } from './erase-customer.ts';
import { type ExportCustomerOutcome, exportCustomer } from './export-customer.ts';
import type { SubjectInput } from './find-customer.ts';

/** An operator's request at the command line. Erasing without a confirmation only lists the data that would be erased. */
export interface CustomerCommand {
  readonly task: 'export' | 'erase';
  readonly subject: SubjectInput;
  readonly confirmation: string | undefined;
}

/** Where the command writes. */
export interface CommandOutput {
  print(line: string): void;
  printError(line: string): void;
  /** Keeps a file of personal data, for its owner alone. */
  writeFile(name: string, text: string): void;
}

const ACTOR = 'system:customer-command';

/** Exports or erases a customer, or previews an erasure. Returns whether it was done. */
export async function runCustomerCommand(
  context: PrivacyContext,
  command: CustomerCommand,
  output: CommandOutput,
): Promise<boolean> {
  const { subject, confirmation } = command;
  if (command.task === 'export') return writeExport(context, subject, output);
  return confirmation === undefined ? preview(context, subject, output) : erase(context, subject, confirmation, output);
}

async function writeExport(context: PrivacyContext, subject: SubjectInput, output: CommandOutput): Promise<boolean> {
  const outcome = await exportCustomer(context, { subject, actor: ACTOR });
  if (outcome.kind !== 'exported') return refuse(outcome, output);
  output.writeFile('customer.json', outcome.json);
  output.writeFile('customer-payments.csv', outcome.csv);
  output.print(`Everything held about the customer of ${inPayments(outcome.payments)}.`);
  return true;
}

async function erase(
  context: PrivacyContext,
  subject: SubjectInput,
  confirmation: string,
  output: CommandOutput,
): Promise<boolean> {
  const outcome = await eraseCustomer(context, { subject, confirmation, actor: ACTOR });
  if (outcome.kind !== 'erased') return refuse(outcome, output);
  for (const [what, count] of Object.entries(outcome.counts)) if (count > 0) printCount(what, count, output);
  output.print('Erased.');
  return true;
}

async function preview(context: PrivacyContext, subject: SubjectInput, output: CommandOutput): Promise<boolean> {
  const outcome = await previewErasure(context, subject);
  if (outcome.kind !== 'found') return refuse(outcome, output);
  const { payments, attempts, gatewayWebhooks, refunds, notes, savedViews, identifiers, blockers, sums, confirmation } =
    outcome.preview;
  const counts = { payments, attempts, gatewayWebhooks, refunds, notes, savedViews };
  for (const [what, count] of Object.entries(counts)) printCount(what, count, output);
  output.print(`Of: ${identifiers.join(', ') || 'no identifier'}`);
  for (const { currency, amount } of sums) output.print(`Stays: ${formatMoney(currency, amount)}`);
  if (payments === 0 && savedViews === 0) return false;
  for (const blocker of blockers) output.print(`Not now: ${blocker}`);
  if (blockers.length > 0) return false;
  output.print(`Nothing was changed. To erase for good, run it again with --confirm "${confirmation}"`);
  return true;
}

function printCount(what: string, count: number, { print }: CommandOutput): void {
  print(`${String(count).padStart(6)}  ${what}`);
}

type Refused = Exclude<
  EraseCustomerOutcome | ExportCustomerOutcome | PreviewErasureOutcome,
  { kind: 'erased' | 'exported' | 'found' }
>;

function refuse(outcome: Refused, { printError }: CommandOutput): false {
  switch (outcome.kind) {
    case 'invalid':
      for (const { field, message } of outcome.problems) printError(`${field} ${message}`);
      break;
    case 'nothing_found':
      printError('Nothing is held about this customer.');
      break;
    case 'too_many':
      printError('More than 10,000 payments: ask by a narrower identifier.');
      break;
    case 'not_confirmed':
      printError(`Not confirmed. What is there now is confirmed by: --confirm "${outcome.confirmation}"`);
      break;
    case 'blocked':
      for (const blocker of outcome.blockers) printError(`Not now: ${blocker}`);
      if (outcome.erasedPayments > 0) printError(`${inPayments(outcome.erasedPayments)} were erased before; run it again later.`);
      break;
    default:
      outcome satisfies never;
  }
  return false;
}

function inPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}
