import { refundControlSettings } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import type { Role } from '#/copy/roles.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The control that a merchant keeps over refunds. */
export type RefundControl = RouterOutputs['refunds']['control']['read'];

/** The roles that may refund, and so have a daily limit. */
export const REFUNDING_ROLES = ['owner', 'finance'] as const satisfies readonly Role[];

/** A whole amount, or null for none. */
const amountOrNone = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text, context) => {
      const digits = text.replaceAll(/[\s,]/g, '');
      if (digits === '') return null;
      if (/^\d{1,20}$/.test(digits)) return BigInt(digits);
      context.issues.push({ code: 'custom', message: 'must be a whole number above 0', input: text });
      return z.NEVER;
    }),
  ),
  refundControlSettings.secondPersonAbove,
);

/** `wrong_item: Wrong item delivered`, one a line. */
const codeLines = z.pipe(
  z.pipe(
    z.string(),
    z.transform((text) =>
      text
        .split('\n')
        .filter((line) => line.trim() !== '')
        .map((line) => {
          const [code = '', ...title] = line.split(':');
          return { code: code.trim(), title: title.join(':').trim() || code.trim() };
        }),
    ),
  ),
  refundControlSettings.reasonCodes,
);

/** The settings as they are entered, and as the server takes them. */
export const controlSchema = z.object({
  secondPersonAbove: amountOrNone,
  owner: amountOrNone,
  finance: amountOrNone,
  reasonCodes: codeLines,
});

/** The stored settings as the form shows them. */
export function enteredControl({ secondPersonAbove, dailyLimits, reasonCodes }: RefundControl): z.input<typeof controlSchema> {
  return {
    secondPersonAbove: String(secondPersonAbove ?? ''),
    owner: String(dailyLimits.owner ?? ''),
    finance: String(dailyLimits.finance ?? ''),
    reasonCodes: reasonCodes.map(({ code, title }) => `${code}: ${title}`).join('\n'),
  };
}

/** Settings to change; omitted ones stay unchanged. */
interface ControlChanges {
  secondPersonAbove?: bigint | null;
  reasonCodes?: z.output<typeof codeLines>;
  dailyLimits?: Partial<Record<Role, bigint>>;
}

/** The edited settings as the server takes them: limits are one setting there. */
export function controlChanges(control: RefundControl, changed: Partial<z.output<typeof controlSchema>>): ControlChanges {
  const { owner, finance, ...others } = changed;
  if (owner === undefined && finance === undefined) return others;
  const limits = { ...control.dailyLimits };
  for (const [role, limit] of [['owner', owner] as const, ['finance', finance] as const]) {
    if (limit === null) delete limits[role];
    else if (limit !== undefined) limits[role] = limit;
  }
  return { ...others, dailyLimits: limits };
}
