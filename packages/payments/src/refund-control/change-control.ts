import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { agreementOf, waiverEnd } from '@switchyard/staff/second-person';
import { z } from 'zod';
import type { PaymentsContext } from '../context.ts';
import { auditedControl } from './audited-control.ts';
import { refundControlSettings } from './control-fields.ts';
import { type ControlWaiver, isLooser, readControlWaiver, writeControlWaiver } from './control-waiver.ts';
import { lockControl, type RefundControl, writeControl } from './queries.ts';

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
      /** What is left of the change: a second person has to agree to it. */
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
    const who = { merchantId, permission: 'payment:refund', actor } as const;
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
