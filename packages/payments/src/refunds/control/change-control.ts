import type { JsonValue, Snapshot } from '@switchyard/db';
import type { Mode, Prisma, RefundControl as RefundControlRow } from '@switchyard/db/client';
import { changeConfiguration, type FieldProblem, fieldProblems, type RuntimeContext } from '@switchyard/runtime';
import { startOfDay } from '@switchyard/runtime/calendar-days';
import { agreementOf, isPerson, type OpenWaiver, openWaiver, waiverEnd } from '@switchyard/staff/second-person';
import { readStaffNames } from '@switchyard/staff/staff-names';
import { z } from 'zod';
import type { PaymentsContext } from '../../record/context.ts';
import { refundControlSettings } from './entered-fields.ts';
import type { RefundingPerson } from './hold-refund.ts';
import {
  dailyLimitOf,
  LIMIT_ZONE,
  limitsAsJson,
  lockControl,
  type RefundControl,
  readControl,
  sumRequestedBy,
  sumRequestedByOne,
  writeControl,
} from './queries.ts';

/** The refund of a payment that a merchant's control allows a person now. Whole main units. */
interface ControlForPerson extends Pick<RefundControl, 'secondPersonAbove' | 'reasonCodes'> {
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

const changesSchema = z.object({
  secondPersonAbove: z.exactOptional(refundControlSettings.secondPersonAbove),
  dailyLimits: z.exactOptional(refundControlSettings.dailyLimits),
  reasonCodes: z.exactOptional(refundControlSettings.reasonCodes),
});

/** Asks to change the control that a merchant keeps over refunds. */
export interface ChangeControlCommand {
  readonly merchantId: string;
  /** Omitted settings stay unchanged. */
  readonly changes: Partial<RefundControl>;
  readonly actor: string;
}

/** The control after the change, or why it was refused. */
export type ChangeControlOutcome =
  | {
      readonly kind: 'changed';
      readonly control: RefundControl;
      /** The part of the change that a second person has to agree to. */
      readonly waiver: ControlWaiver | null;
    }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/**
 * Changes a merchant's control over refunds that people request, for refunds requested from then on. That fewer refunds need a second person
 * takes two people who may refund there, within a day: the one who needs a second person must not lift it. The other settings change at once.
 */
export async function changeRefundControl(
  context: PaymentsContext,
  command: ChangeControlCommand,
): Promise<ChangeControlOutcome> {
  const parsed = changesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId, actor } = command;
  return changeConfiguration<ChangeControlOutcome>(context, command, async (transaction, now) => {
    const before = await lockControl(transaction, merchantId);
    const open = await readControlWaiver(transaction, merchantId, now);
    const { secondPersonAbove: wanted = before.secondPersonAbove } = parsed.data;
    const who = { merchantId, permission: 'refund:approve', actor } as const;
    const asked = open !== null && open.wanted === wanted ? open : null;
    const agreement = isLooser(before.secondPersonAbove, wanted) ? await agreementOf(transaction, who, asked) : null;
    const isWaiting = agreement === 'none';
    const secondPersonAbove = isWaiting ? before.secondPersonAbove : wanted;
    const control: RefundControl = { ...before, ...parsed.data, secondPersonAbove };
    await writeControl(transaction, merchantId, control);
    const requested = isWaiting ? { wanted, requestedBy: actor, requestedAt: now, until: waiverEnd(now) } : null;
    // A request about another amount than the one in force is over.
    const waiver = requested ?? (parsed.data.secondPersonAbove === undefined ? open : null);
    await writeControlWaiver(transaction, merchantId, waiver);
    const isChanged = !isWaiting || Object.keys(parsed.data).length > 1;
    return {
      outcome: { kind: 'changed', control, waiver: requested },
      audit: {
        action: isChanged ? 'merchant.refund_control_changed' : 'merchant.refund_control_waiver_requested',
        objectType: 'merchant',
        objectId: merchantId,
        before: auditedControl(before, open),
        after: { ...auditedControl(control, waiver), ...(agreement === 'alone' && { withoutSecondPerson: true }) },
      },
      // Read in the transaction of each refund: no process holds it in memory.
      inForce: false,
    };
  });
}

/** An open request to need a second person for larger refunds alone: another person who may refund can agree until `until`. */
interface ControlWaiver extends OpenWaiver {
  /** Whole main units; null for never. */
  readonly wanted: bigint | null;
}

type WaiverRow = Pick<RefundControlRow, 'waiverAbove' | 'waiverBy' | 'waiverAt'>;
type Reader = Pick<Prisma.TransactionClient, 'refundControl'>;

/** True if fewer refunds would need a second person. */
function isLooser(before: RefundControl['secondPersonAbove'], wanted: RefundControl['secondPersonAbove']): boolean {
  return before !== null && (wanted === null || wanted > before);
}

/** A merchant's open request; null when there is none or it has expired. */
async function readControlWaiver(client: Reader, merchantId: string, now: Date): Promise<ControlWaiver | null> {
  return waiverOf(await client.refundControl.findUnique({ where: { merchantId } }), now);
}

function waiverOf(row: WaiverRow | null, now: Date): ControlWaiver | null {
  const waiver = row === null ? null : openWaiver(row, now);
  return waiver === null || row === null ? null : { ...waiver, wanted: row.waiverAbove };
}

/** Stores a request in place of the one before; null for none. */
async function writeControlWaiver(
  transaction: Prisma.TransactionClient,
  merchantId: string,
  waiver: Pick<ControlWaiver, 'wanted' | 'requestedBy' | 'requestedAt'> | null,
): Promise<void> {
  await transaction.refundControl.updateMany({
    where: { merchantId },
    data: {
      waiverAbove: waiver?.wanted ?? null,
      waiverBy: waiver?.requestedBy ?? null,
      waiverAt: waiver?.requestedAt ?? null,
    },
  });
}

/** Answers a merchant's open request. */
export interface AnswerWaiverCommand {
  readonly merchantId: string;
  /** False to decline it, or to withdraw one's own. */
  readonly agree: boolean;
  /** The amount that was read: another request than that is not answered. */
  readonly wanted: bigint | null;
  /** `staff:<id>` of a person who may refund at the merchant. */
  readonly actor: string;
}

/** The control after the answer, or why it was not recorded. */
export type AnswerWaiverOutcome =
  | { readonly kind: 'changed'; readonly control: RefundControl }
  | { readonly kind: 'closed' }
  /** There is none, it was answered, it has expired, or who made it may not refund any more. */
  | { readonly kind: 'not_requested' }
  /** The requester cannot agree, and nothing but a person can. */
  | { readonly kind: 'own_request' }
  | { readonly kind: 'not_found' };

/** Agrees to a request to need a second person for larger refunds alone, declines it or withdraws it. Audited. */
export function answerControlWaiver(context: PaymentsContext, command: AnswerWaiverCommand): Promise<AnswerWaiverOutcome> {
  const { merchantId, agree, wanted, actor } = command;
  return changeConfiguration<AnswerWaiverOutcome>(context, command, async (transaction, now) => {
    const before = await lockControl(transaction, merchantId);
    const waiver = await readControlWaiver(transaction, merchantId, now);
    if (waiver === null || waiver.wanted !== wanted) return { outcome: { kind: 'not_requested' }, audit: null };
    if (agree && (!isPerson(actor) || waiver.requestedBy === actor)) return { outcome: { kind: 'own_request' }, audit: null };
    const who = { merchantId, permission: 'refund:approve', actor } as const;
    if (agree && (await agreementOf(transaction, who, waiver)) === 'none')
      return { outcome: { kind: 'not_requested' }, audit: null };
    const control = agree ? { ...before, secondPersonAbove: wanted } : before;
    if (agree) await writeControl(transaction, merchantId, control);
    await writeControlWaiver(transaction, merchantId, null);
    return {
      outcome: agree ? { kind: 'changed', control } : { kind: 'closed' },
      audit: {
        action: agree ? 'merchant.refund_control_changed' : 'merchant.refund_control_waiver_declined',
        objectType: 'merchant',
        objectId: merchantId,
        before: auditedControl(before, waiver),
        after: auditedControl(control, null),
      },
      inForce: false,
    };
  });
}

/** A request of a merchant, with who made it; null for a deleted user. */
export interface NamedControlWaiver extends ControlWaiver {
  readonly merchantId: string;
  readonly requesterName: string | null;
  /** The amount that holds until then. */
  readonly above: bigint;
}

const WAIVERS_MAX = 200;

/** Open requests of these merchants; other people's alone where a staff user is given. */
export async function listRefundControlWaivers(
  { resources, now }: RuntimeContext<'database'>,
  { merchantIds, staffId = null }: { readonly merchantIds: readonly string[]; readonly staffId?: string | null },
): Promise<NamedControlWaiver[]> {
  const { database } = resources;
  const rows = await database.prisma.refundControl.findMany({
    where: { merchantId: { in: [...merchantIds] }, waiverBy: { not: null }, secondPersonAbove: { not: null } },
    orderBy: { merchantId: 'asc' },
    take: WAIVERS_MAX,
  });
  const found = rows.flatMap((row) => {
    const waiver = waiverOf(row, now());
    if (waiver === null || row.secondPersonAbove === null || waiver.requestedBy === `staff:${staffId}`) return [];
    return [{ merchantId: row.merchantId, above: row.secondPersonAbove, ...waiver }];
  });
  const names = await readStaffNames(
    database,
    found.map(({ requestedBy }) => requestedBy.replace(/^staff:/, '')),
  );
  return found.map((waiver) => ({ ...waiver, requesterName: names.get(waiver.requestedBy.replace(/^staff:/, '')) ?? null }));
}

/** A control as the audit log has it, with the open request to loosen it. */
function auditedControl(
  control: RefundControl,
  waiver: { readonly wanted: bigint | null; readonly requestedBy: string } | null,
): { [key: string]: JsonValue } {
  const { secondPersonAbove, reasonCodes } = control;
  return {
    secondPersonAbove: amountOf(secondPersonAbove),
    dailyLimits: limitsAsJson(control),
    reasonCodes: reasonCodes.map(({ code, title }) => ({ code, title })),
    ...(waiver !== null && { waiver: { secondPersonAbove: amountOf(waiver.wanted), requestedBy: waiver.requestedBy } }),
  };
}

/** An amount as JSON holds it: it is far below what a number holds exactly. */
function amountOf(amount: bigint | null): number | null {
  return amount === null ? null : Number(amount);
}
