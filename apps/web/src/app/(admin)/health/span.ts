import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** Periods that the health page offers, the shortest first. */
export const SPANS = ['90m', '24h', '7d', '30d'] as const;

/** A period that the health page can show. */
export type Span = (typeof SPANS)[number];

/** The label of each period and its step: about ninety steps, so that strips look alike. */
export const SPAN_LABELS: Record<
  Span,
  { readonly label: string; readonly long: string; readonly minutes: number; readonly stepSeconds: number }
> = {
  '90m': { label: '90 min', long: 'the last ninety minutes', minutes: 90, stepSeconds: 60 },
  '24h': { label: '24 h', long: 'the last 24 hours', minutes: 1_440, stepSeconds: 900 },
  '7d': { label: '7 days', long: 'the last seven days', minutes: 10_080, stepSeconds: 7_200 },
  '30d': { label: '30 days', long: 'the last thirty days', minutes: 43_200, stepSeconds: 28_800 },
};

/** The page's state in the URL. */
export const healthParsers = {
  span: parseAsStringLiteral(SPANS).withDefault('90m'),
};

/** The account and method open beside the list; `method` empty for all methods together. */
export const panelParsers = { account: parseAsString, method: parseAsString };

/** The open dialog: setting an override, or draining `gateway` for all merchants. */
export const dialogParser = { do: parseAsStringLiteral(['override', 'drain-gateway'] as const), gateway: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadHealthPage = createLoader({ ...healthParsers, ...panelParsers });

/** The number of days for outages and daily states. */
export const OUTAGE_DAYS = 14;
