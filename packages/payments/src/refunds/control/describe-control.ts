import type { Snapshot } from '@switchyard/db';
import type { Mode } from '@switchyard/db/client';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import type { PaymentsContext } from '../../record/context.ts';
import type { RefundingPerson } from './hold-refund.ts';
import { dailyLimitOf, LIMIT_ZONE, type RefundControl, readControl, sumRequestedBy, sumRequestedByOne } from './queries.ts';

/** The refund of a payment that a merchant's control allows a person now. Whole main units. */
export interface ControlForPerson extends Pick<RefundControl, 'secondPersonAbove' | 'reasonCodes'> {
  /** The amount that can be refunded of the payment without a second person; null where none is ever needed. */
  readonly alone: bigint | null;
  /** The amount that the person may request on a day; null without a limit. */
  readonly dailyLimit: bigint | null;
  /** The rest of it today; null without a limit. */
  readonly leftToday: bigint | null;
}

/** The control that a merchant keeps over refunds that people request. */
export function readRefundControl({ resources }: PaymentsContext, merchantId: string): Promise<RefundControl> {
  return readControl(resources.database.prisma, merchantId);
}

/** Describes the refund of a payment that a merchant's control allows a person now. */
export function describeControlFor(
  context: PaymentsContext,
  payment: ControlledPayment,
  person: Pick<RefundingPerson, 'actor' | 'roles'>,
): Promise<ControlForPerson> {
  return context.resources.database.inSnapshot(({ prisma }) => readControlFor(prisma, payment, person, context.now()));
}

interface ControlledPayment {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly mode: Mode;
  readonly currency: string;
}

async function readControlFor(
  prisma: Snapshot['prisma'],
  { merchantId, paymentId, mode, currency }: ControlledPayment,
  { actor, roles }: Pick<RefundingPerson, 'actor' | 'roles'>,
  now: Date,
): Promise<ControlForPerson> {
  const control = await readControl(prisma, merchantId);
  const { secondPersonAbove, reasonCodes } = control;
  const dailyLimit = dailyLimitOf(control, roles);
  const since = startOfDay(now, LIMIT_ZONE);
  const [before, requested] = await Promise.all([
    secondPersonAbove === null ? 0n : sumRequestedByOne(prisma, merchantId, paymentId),
    dailyLimit === null ? 0n : sumRequestedBy(prisma, { merchantId, mode, currency, actor, since }, now),
  ]);
  return {
    secondPersonAbove,
    reasonCodes,
    alone: secondPersonAbove === null ? null : rest(secondPersonAbove, before),
    dailyLimit,
    leftToday: dailyLimit === null ? null : rest(dailyLimit, requested),
  };
}

function rest(whole: bigint, taken: bigint): bigint {
  return whole > taken ? whole - taken : 0n;
}
