import type { Rows } from '../../world/checker/observations.ts';
import { drawsFor } from '../../world/plan/rng.ts';
import { type Erasure, readStored, recordRows, type StaffWork, searchTables } from '../oracle/check-staff-work.ts';
import type { eraseOne, exportLists } from '../product/staff-work.ts';
import type { Beginning } from './set-up.ts';
import type { WorldHost } from './world-host.ts';
import type { WorldPlan } from './world-plan.ts';

/** Probability that staff do something: each time another process is started for it. */
const SHARE = 0.25;
const FINAL: readonly string[] = ['SUCCESS', 'FAILED', 'REFUNDED'];

interface StaffCode {
  readonly exportLists: typeof exportLists;
  readonly eraseOne: typeof eraseOne;
}

interface Records {
  readonly environment: Parameters<typeof exportLists>[0];
  readonly rows: WorldHost['rows'];
  readonly plan: WorldPlan;
  readonly beginning: Beginning;
  readonly observations: Pick<Rows, 'payments'>;
}

/** True if staff export and erase something in the world of a seed. */
export function hasStaffWork(seed: number): boolean {
  return drawsFor(seed, 'staff').chance(SHARE);
}

/** Exports the lists of a world by the product's code, and erases the customer of a payment, once everything else has ended. */
export async function doStaffWork(staff: StaffCode, of: Records): Promise<StaffWork> {
  const { environment, rows, beginning } = of;
  const merchantIds = beginning.merchants.map(({ merchantId }) => merchantId);
  return {
    exported: await staff.exportLists(environment, merchantIds),
    stored: {
      payments: await readStored(rows, 'payments'),
      refunds: await readStored(rows, 'refunds'),
      'duplicate-charges': await readStored(rows, 'duplicate-charges'),
      'webhook-deliveries': await readStored(rows, 'webhook-deliveries'),
    },
    erasure: await eraseCustomer(staff, of),
  };
}

async function eraseCustomer(staff: StaffCode, { environment, rows, plan, observations }: Records): Promise<Erasure | null> {
  const draws = drawsFor(plan.seed, 'erasure');
  const [payment] = draws.shuffled(observations.payments.filter(({ status }) => FINAL.includes(status)));
  const planned = plan.payments.find(({ merchantOrderId }) => merchantOrderId === payment?.merchantOrderId);
  if (payment === undefined || planned === undefined) return null;
  const { merchantId, paymentId } = payment;
  const email = `customer-${planned.number}@example.com`;
  const before = await recordRows(rows);
  const isDone = await staff.eraseOne(environment, { merchantId, email });
  const after = await recordRows(rows);
  return { paymentId, isDone, before, after, left: await searchTables(rows, { paymentId, email }) };
}
