import type { inferParserType } from 'nuqs/server';

/** Parsers of a page's address: each names a filter, and says what it is while the address does not. */
type Parsers = Parameters<typeof import('nuqs/server').createLoader>[0];

type ReadOnly<Value> = Value extends readonly (infer Item)[] ? readonly Item[] : Value;
type Changeable<Value> = Value extends readonly (infer Item)[] ? Item[] : Value;

/** The filters of a page as its parsers read them. */
export type FiltersOf<Read extends Parsers> = {
  readonly [Name in keyof inferParserType<Read>]: ReadOnly<inferParserType<Read>[Name]>;
};

/** A change of filters; null clears one. */
export type ChangeOf<Filters> = { [Name in keyof Filters]?: Changeable<Filters[Name]> | null };

/** True if any of these filters leaves something out: a list with values, a text, a number, a switch that is on. */
export function isAnySet(filters: object, names: readonly string[] = Object.keys(filters)): boolean {
  return Object.entries(filters).some(([name, value]) => names.includes(name) && isSet(value));
}

function isSet(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return typeof value === 'string' ? value.trim() !== '' : value !== null && value !== false;
}
