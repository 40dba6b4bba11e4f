import { zonedFormat } from '#/format/zone.ts';

const day = zonedFormat('en-GB', { day: 'numeric', month: 'short' });

/** The draft's name; without one, the day it was created. */
export function draftName({ name, createdAt }: { readonly name: string | null; readonly createdAt: Date }): string {
  return name ?? `Draft of ${day.format(createdAt)}`;
}
