import type { Rows } from '../../world/checker/observations.ts';
import { itemsAt } from '../../world/plan/plan.ts';
import { drawsFor } from '../../world/plan/rng.ts';
import { type Erasure, readStored, recordRows, type StaffWork, searchTables } from '../oracle/check-staff-work.ts';
import { readLists } from '../product/exported-lists.ts';
import type { eraseOne, exportLists } from '../product/staff-work.ts';
import type { ForbiddenAttempt, tryAsStaff } from '../product/try-as-staff.ts';
import type { Beginning } from './set-up.ts';
import type { WorldHost } from './virtual-host.ts';
import type { WorldPlan } from './world-plan.ts';

/** Probability that staff do something: each time another process is started for it. */
const SHARE = 0.25;
const FINAL: readonly string[] = ['SUCCESS', 'FAILED', 'REFUNDED'];

interface StaffCode {
  readonly exportLists: typeof exportLists;
  readonly eraseOne: typeof eraseOne;
  readonly tryAsStaff: typeof tryAsStaff;
}

interface Records {
  readonly environment: Parameters<typeof exportLists>[0];
  readonly rows: WorldHost['rows'];
  readonly plan: WorldPlan;
  readonly beginning: Beginning;
  readonly observations: Pick<Rows, 'payments'>;
}

/** True if staff do something in the world of a seed: they export and erase, and try what they may not. */
export function hasStaffWork(seed: number): boolean {
  return drawsFor(seed, 'staff').chance(SHARE);
}

/** Exports the lists of a world by the product's code, erases the customer of a payment, and tries what is forbidden, once everything else has ended. */
export async function doStaffWork(staff: StaffCode, of: Records): Promise<StaffWork> {
  const { environment, rows, beginning } = of;
  const merchantIds = beginning.merchants.map(({ merchantId }) => merchantId);
  return {
    exported: await staff.exportLists(environment, merchantIds),
    stored: await readLists((list) => readStored(rows, list)),
    erasure: await eraseCustomer(staff, of),
    forbidden: await tryForbidden(staff, of),
  };
}

/** Money and rules that no try may change. When a refund is asked about again changes by itself. */
const GUARDED = `
SELECT md5(coalesce((SELECT string_agg(concat_ws(' ', id, payment_id, amount, state), ';' ORDER BY id) FROM refund), '')
  || coalesce((SELECT string_agg(own::text, '' ORDER BY own::text) FROM rule_set_version AS own WHERE state = 'PUBLISHED'), '')) AS digest`;

async function tryForbidden(
  { tryAsStaff }: StaffCode,
  { environment, rows, plan, beginning, observations }: Records,
): Promise<readonly ForbiddenAttempt[]> {
  const draws = drawsFor(plan.seed, 'forbidden to staff');
  const own = itemsAt(beginning.merchants, plan.merchants).map(({ merchantId }) => merchantId);
  // Not one whose customer was erased: that one says nothing of its own any more.
  const [payment] = draws.shuffled(observations.payments.filter(({ status }) => status === 'SUCCESS'));
  const [other] = draws.shuffled(own.filter((merchantId) => merchantId !== payment?.merchantId));
  if (payment === undefined || other === undefined) return [];
  const { merchantId, paymentId } = payment;
  const before = await rows(GUARDED);
  const attempts = await tryAsStaff(environment, { merchantId, paymentId, otherMerchantId: other });
  const after = await rows(GUARDED);
  const answer = JSON.stringify(after) === JSON.stringify(before) ? 'the same' : 'changed';
  return [
    ...attempts,
    { what: 'one of the refused attempts changes refunds or published rules', refusedAs: ['the same'], answer },
  ];
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
