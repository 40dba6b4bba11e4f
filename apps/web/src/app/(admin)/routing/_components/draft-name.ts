import { ZONE } from '../../../../format/zone.ts';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: ZONE });

/** What a draft is called; one without a name by the day it was begun on. */
export function draftName({ name, createdAt }: { readonly name: string | null; readonly createdAt: Date }): string {
  return name ?? `Draft of ${day.format(createdAt)}`;
}
