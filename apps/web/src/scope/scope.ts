import { createLoader, createParser, parseAsStringLiteral } from 'nuqs/server';

/** The modes, `test` first: it is the one without consequences. */
export const MODES = ['test', 'live'] as const;

/** Test or live. */
export type Mode = (typeof MODES)[number];

/** The merchant and the mode: part of every address, so that an address shows the same to everyone who opens it. */
export interface Scope {
  readonly mode: Mode;
  /** Null for every merchant the person may see. */
  readonly merchantId: string | null;
}

/** The scope as the filters of lists take it. */
export function scopeFilter({ mode, merchantId }: Scope) {
  return { mode, merchantIds: merchantId === null ? [] : [merchantId] };
}

/** Remembers the mode a person last chose. */
export const MODE_COOKIE = 'mode';

/** Mode and merchant in the URL; each null where the URL does not name it. */
export const scopeParsers = {
  mode: parseAsStringLiteral(MODES),
  // An address that names none by an empty value is of every merchant.
  merchant: createParser({ parse: (value) => (value === '' ? null : value), serialize: (value: string) => value }),
};

/** Reads mode and merchant from the URL, on the server. */
export const loadScope = createLoader(scopeParsers);

/** An address within the application, in a scope. */
export function hrefIn(scope: Scope, path: string, query: Readonly<Record<string, string | null>> = {}): string {
  const search = new URLSearchParams({ mode: scope.mode });
  if (scope.merchantId !== null) search.set('merchant', scope.merchantId);
  for (const [name, value] of Object.entries(query)) if (value !== null) search.set(name, value);
  return `${path}?${search}`;
}
