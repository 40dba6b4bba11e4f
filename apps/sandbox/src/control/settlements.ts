import { z } from 'zod';
import { settlementFaults } from '../faults/kinds.ts';
import type { Settlement } from '../ledger/records.ts';
import { settleDue, settleNow } from '../settlements.ts';
import type { SimulatorServer } from '../simulator-server.ts';
import { defaultMessages, explainIssues, type Outcome } from './commands.ts';

const bodySchema = z.object({
  /** The account with this key; every account when left out. */
  key: z.string().optional(),
  /** True to leave what is not due yet. */
  dueOnly: z.boolean({ error: 'must be true or false' }).default(false),
  faults: z
    .array(
      z.object({
        kind: z.enum(settlementFaults, { error: `must be one of ${settlementFaults.join(', ')}` }),
        reference: z.string(),
      }),
    )
    .max(1_000, { error: 'must be at most 1000' })
    .default([]),
});

/** Pays out now what was paid, with faults in the payments that are named, in place of waiting for the next working day. */
export function paySettlements({ simulator }: SimulatorServer, body: unknown): Outcome<readonly Settlement[]> {
  const parsed = bodySchema.safeParse(body ?? {}, { error: defaultMessages });
  if (!parsed.success) return { kind: 'invalid', errors: explainIssues(parsed.error) };
  const { key, dueOnly, faults } = parsed.data;
  if (simulator.spec.settlementFee === undefined) {
    return { kind: 'conflict', error: `${simulator.spec.title} documents no settlements` };
  }
  const accounts = simulator.ledger.accounts().filter((account) => key === undefined || account.key === key);
  if (accounts.length === 0) return { kind: 'not_found', error: 'No account has this key' };
  const planted = new Map(faults.map(({ kind, reference }) => [reference, kind]));
  const settle = dueOnly ? settleDue : settleNow;
  return { kind: 'done', value: accounts.flatMap((account) => settle(simulator, account, planted)) };
}

/** A settlement in the control API. */
export function settlementEntry({ id, accountId, currency, payments, gross, fees, deducted, net, day, createdAt }: Settlement) {
  return { id, account: accountId, currency, payments: payments.length, gross, fees, deducted, net, day, createdAt };
}
