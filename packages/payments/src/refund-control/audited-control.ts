import type { JsonValue } from '@switchyard/db';
import { limitsAsJson, type RefundControl } from './queries.ts';

/** A control as the audit log has it, with the open request to loosen it. */
export function auditedControl(
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
