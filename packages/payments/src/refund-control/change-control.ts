import { changeConfiguration, type FieldProblem, fieldProblems } from '@switchyard/runtime';
import { z } from 'zod';
import type { PaymentsContext } from '../context.ts';
import { refundControlSettings } from './control-fields.ts';
import { limitsAsJson, lockControl, type RefundControl, writeControl } from './queries.ts';

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
  | { readonly kind: 'changed'; readonly control: RefundControl }
  | { readonly kind: 'invalid'; readonly problems: readonly FieldProblem[] }
  | { readonly kind: 'not_found' };

/** Changes a merchant's control over refunds that people request, for refunds requested from then on. */
export async function changeRefundControl(
  context: PaymentsContext,
  command: ChangeControlCommand,
): Promise<ChangeControlOutcome> {
  const parsed = changesSchema.safeParse(command.changes);
  if (!parsed.success) return { kind: 'invalid', problems: fieldProblems(parsed.error) };
  const { merchantId } = command;
  return changeConfiguration<ChangeControlOutcome>(context, command, async (transaction, now) => {
    const before = await lockControl(transaction, merchantId);
    const control: RefundControl = { ...before, ...parsed.data };
    await writeControl(transaction, merchantId, control, now);
    return {
      outcome: { kind: 'changed', control },
      audit: {
        action: 'merchant.refund_control_changed',
        objectType: 'merchant',
        objectId: merchantId,
        before: forAudit(before),
        after: forAudit(control),
      },
      // Read in the transaction of each refund: no process holds it in memory.
      inForce: false,
    };
  });
}

function forAudit(control: RefundControl) {
  const { secondPersonAbove, reasonCodes } = control;
  return {
    secondPersonAbove: secondPersonAbove === null ? null : Number(secondPersonAbove),
    dailyLimits: limitsAsJson(control),
    reasonCodes: reasonCodes.map(({ code, title }) => ({ code, title })),
  };
}
