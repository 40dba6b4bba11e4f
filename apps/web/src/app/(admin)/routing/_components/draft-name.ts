import { ZONE } from '../../../../format/zone.ts';

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: ZONE });

/** The draft's name; without one, the day it was created. */
export function draftName({ name, createdAt }: { readonly name: string | null; readonly createdAt: Date }): string {
  return name ?? `Draft of ${day.format(createdAt)}`;
}
