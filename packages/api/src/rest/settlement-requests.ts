import { dayText } from '@switchyard/db/moments';
import { lineKinds } from '@switchyard/exports/filters';
import { z } from 'zod';
import { anyOf, page } from './list-queries.ts';

const day = (description: string) =>
  dayText.nullable().default(null).openapi({ type: 'string', format: 'date', description, example: '2026-11-22' });

const CURSOR_RULE = 'must be the nextCursor of a page before';

/** Query of `GET /v1/settlements`. */
export const settlementListQuery = z.object({
  status: anyOf(['PENDING', 'PAID', 'FAILED', 'WITHDRAWN'], 'Settlements of this status, or of several separated by commas.'),
  settledFrom: day('Paid out on this day or later; those that are not paid out yet are in any period.'),
  settledTo: day('Paid out on this day or before.'),
  limit: page.limit,
  cursor: z
    .string()
    .max(200)
    .transform((text, refinement) => {
      const key = readSettlementCursor(text);
      if (key !== null) return key;
      refinement.addIssue({ code: 'custom', message: CURSOR_RULE });
      return z.NEVER;
    })
    .optional()
    .openapi({ type: 'string', description: 'The `nextCursor` of the page before.' }),
});

/** Query of `GET /v1/settlements/{settlementId}/lines`. */
export const settlementLineQuery = z.object({
  kind: anyOf(lineKinds, 'Lines of this kind, or of several separated by commas.'),
  limit: page.limit,
  cursor: z
    .string()
    .max(20)
    .regex(/^\d{1,9}$/, CURSOR_RULE)
    .transform(Number)
    .optional()
    .openapi({ type: 'string', description: 'The `nextCursor` of the page before.' }),
});

const key = z.object({ settledOn: dayText.nullable(), settlementId: z.uuid().toLowerCase() });

/** The end of a page of settlements as opaque text. */
export function settlementCursor({ settledOn, settlementId }: z.output<typeof key>): string {
  return Buffer.from(`${settledOn ?? ''} ${settlementId}`).toString('base64url');
}

function readSettlementCursor(cursor: string): z.output<typeof key> | null {
  const [settledOn = '', settlementId] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  return key.safeParse({ settledOn: settledOn === '' ? null : settledOn, settlementId }).data ?? null;
}
