import { scheduleFields } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import type { Schedule } from '#/copy/scheduled-reports.ts';
import { WORKSPACE_ZONE } from '#/format/zone.ts';

/** A schedule as its form holds it: an hour is a choice, addresses are one text. */
export const draftSchema = z.object({
  ...scheduleFields,
  list: z.pipe(z.nullable(z.string()), z.string('must be selected')),
  hour: z.string(),
  recipients: z.string().check(
    z.refine((text) => addressesIn(text).every((address) => z.email().safeParse(address).success), 'must be e-mail addresses'),
    z.refine((text) => addressesIn(text).length <= 10, 'must be at most 10 addresses'),
  ),
});

/** The form of a schedule, or of a new one of a list. */
export function draftOf(
  known: Schedule | null,
  { list, title }: { readonly list: string | null; readonly title: string | null },
) {
  return {
    list: known?.list ?? list,
    name: known?.name ?? title ?? '',
    format: known?.format ?? ('xlsx' as const),
    frequency: known?.frequency ?? ('daily' as const),
    hour: String(known?.hour ?? 6),
    timeZone: known?.timeZone ?? WORKSPACE_ZONE,
    recipients: known?.recipients.join(', ') ?? '',
  };
}

/** Input that a form sends. */
export function fieldsFrom({ list: _, hour, recipients, ...fields }: z.output<typeof draftSchema>) {
  return { ...fields, hour: Number(hour), recipients: addressesIn(recipients) };
}

function addressesIn(text: string): string[] {
  return text.split(/[\s,;]+/).filter((part) => part !== '');
}
