import { addDays, calendarDay, firstMoment, isDay } from '@switchyard/runtime/calendar-days';

/** The calendar by which a search names days. */
export interface SearchCalendar {
  readonly now: Date;
  /** IANA time zone. */
  readonly zone: string;
}

/** Payments by what people know of them: at least an amount or the last four digits of the card. */
export interface SearchedFacts {
  /** Whole main units; null for any. */
  readonly amount: bigint | null;
  /** ISO 4217; null for any. Only with an amount. */
  readonly currency: string | null;
  /** The last four digits of the card that paid; null for any. */
  readonly cardLast4: string | null;
  /** Created from the first moment until before the second; null at any time. */
  readonly created: { readonly from: Date; readonly to: Date } | null;
}

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const SIGNS: Readonly<Record<string, string>> = { '₦': 'NGN', $: 'USD', '£': 'GBP', '€': 'EUR' };
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MONTH_NAMES = 'january february march april may june july august september october november december'.split(' ');
/** Amounts are stored with at most this many digits. */
const AMOUNT_DIGITS_MAX = 12;
const TOKENS_MAX = 8;

type Token =
  /** `2,500`, `2500.00`: `sure` if it can be nothing but an amount. */
  | { readonly kind: 'number'; readonly digits: string; readonly sure: boolean }
  | { readonly kind: 'currency'; readonly code: string }
  | { readonly kind: 'last4'; readonly digits: string }
  | { readonly kind: 'month'; readonly month: number }
  | { readonly kind: 'day'; readonly day: string };

/**
 * The facts that a search names, each of several readings of it: an amount and a day, as `2500 2026-11-24`, `2,500 yesterday` or
 * `NGN 2500 24 Nov`; the last four digits of a card, as `•••• 4081`, or four digits beside a day or an amount. None where any word of it is
 * something else: an order id is no amount. A day without a year is the last one that has come, and one written in digits begins with the day.
 */
export function parseSearch(text: string, calendar: SearchCalendar): readonly SearchedFacts[] {
  const tokens = tokensOf(text, calendar);
  if (tokens === null) return [];
  const dated = takeDay(tokens, calendar);
  if (dated === null) return [];
  const { rest, day } = dated;
  const currencies = rest.flatMap((token) => (token.kind === 'currency' ? [token.code] : []));
  const masked = rest.flatMap((token) => (token.kind === 'last4' ? [token.digits] : []));
  const numbers = rest.flatMap((token) => (token.kind === 'number' ? [token] : []));
  if (currencies.length > 1 || masked.length > 1 || numbers.length > 2) return [];
  const created =
    day === null ? null : { from: firstMoment(day, calendar.zone), to: firstMoment(addDays(day, 1), calendar.zone) };
  const currency = currencies[0] ?? null;
  return readings(numbers, masked[0] ?? null, currency !== null, day !== null)
    .filter(({ amount }) => currency === null || amount !== null)
    .map((reading) => ({ ...reading, currency, created }));
}

type NumberToken = Extract<Token, { kind: 'number' }>;
type Reading = Pick<SearchedFacts, 'amount' | 'cardLast4'>;

/** Meanings of numbers: one is an amount, or the last four digits; of two, one is each. */
function readings(numbers: readonly NumberToken[], masked: string | null, hasCurrency: boolean, hasDay: boolean): Reading[] {
  const [one, other] = numbers;
  const asAmount = ({ digits }: NumberToken, cardLast4: string | null): Reading => ({ amount: BigInt(digits), cardLast4 });
  if (one === undefined) return masked === null ? [] : [{ amount: null, cardLast4: masked }];
  if (other === undefined) {
    if (masked !== null) return [asAmount(one, masked)];
    if (hasCurrency || one.sure) return [asAmount(one, null)];
    // A number alone is an order, a reference or a phone number.
    if (!hasDay) return [];
    return [asAmount(one, null), ...(isLast4(one) ? [{ amount: null, cardLast4: one.digits }] : [])];
  }
  if (masked !== null) return [];
  return [...(isLast4(other) ? [asAmount(one, other.digits)] : []), ...(isLast4(one) ? [asAmount(other, one.digits)] : [])];
}

function isLast4({ digits, sure }: NumberToken): boolean {
  return !sure && digits.length === 4;
}

/** The words of a text; null where one of them is no part of a date, an amount, a currency or a card. */
function tokensOf(text: string, calendar: SearchCalendar): Token[] | null {
  // A mask may stand apart from its digits, and a currency beside its amount.
  const apart = text
    .trim()
    .replaceAll(/[•*]+\s*(?=\d{4}(?:\s|$))/g, '*')
    .replaceAll(/([₦$£€])\s*(?=\d)/g, '$1 ')
    .replaceAll(/\b(?!xxx)([a-z]{3})(?=\d)/gi, '$1 ')
    .replaceAll(/,(?=\s|$)/g, ' ');
  const words = apart.split(/\s+/).filter((word) => word !== '');
  if (words.length === 0 || words.length > TOKENS_MAX) return null;
  const tokens: Token[] = [];
  for (const word of words) {
    const token = tokenOf(word, calendar);
    if (token === null) return null;
    tokens.push(token);
  }
  return tokens;
}

function tokenOf(word: string, calendar: SearchCalendar): Token | null {
  const lower = word.toLowerCase();
  const day = dayOf(lower, calendar);
  if (day !== null) return { kind: 'day', day };
  const masked = /^(?:\*|x{2,})(\d{4})$/.exec(lower)?.[1];
  if (masked !== undefined) return { kind: 'last4', digits: masked };
  const month = MONTHS.indexOf(lower.slice(0, 3));
  if (month >= 0 && (lower.length === 3 || lower === 'sept' || lower === MONTH_NAMES[month])) return { kind: 'month', month };
  const currency = SIGNS[word] ?? word.toUpperCase();
  if (CURRENCIES.has(currency)) return { kind: 'currency', code: currency };
  return numberOf(word);
}

/** `2500`, `2,500`, `2500.00`; `24th` is a day of a month, and read as its number. */
function numberOf(word: string): Token | null {
  const [, plain, grouped, fraction] =
    /^(?:(\d+)|(\d{1,3}(?:,\d{3})+))(\.0{1,2})?$/.exec(word.replace(/(?<=^\d{1,2})(?:st|nd|rd|th)$/i, '')) ?? [];
  const digits = (plain ?? grouped)?.replaceAll(',', '');
  if (digits === undefined || digits.length > AMOUNT_DIGITS_MAX) return null;
  return { kind: 'number', digits, sure: grouped !== undefined || fraction !== undefined };
}

/** A day in one word. */
function dayOf(word: string, { now, zone }: SearchCalendar): string | null {
  const today = calendarDay(now, zone);
  if (word === 'today') return today;
  if (word === 'yesterday') return addDays(today, -1);
  if (isDay(word)) return word;
  const [, day, month, year] = /^(\d{1,2})[/.](\d{1,2})(?:[/.](\d{4}))?$/.exec(word) ?? [];
  return day === undefined || month === undefined ? null : completeDay(Number(day), Number(month) - 1, year ?? null, today);
}

/** A day of a month; without a year the last one that has come. Null where there is none. */
function completeDay(day: number, month: number, year: string | null, today: string): string | null {
  const inYear = (of: number) => `${of}-${String(month + 1).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
  if (year !== null) return isDay(inYear(Number(year))) ? inYear(Number(year)) : null;
  const thisYear = Number(today.slice(0, 4));
  // 29 February comes every four years, and not in every hundredth.
  for (let of = thisYear; of > thisYear - 9; of -= 1) if (isDay(inYear(of)) && inYear(of) <= today) return inYear(of);
  return null;
}

/** Takes the day out of the words; null where they name more than one, or a month without a day. */
function takeDay(
  tokens: readonly Token[],
  calendar: SearchCalendar,
): { readonly rest: readonly Token[]; readonly day: string | null } | null {
  const days = tokens.flatMap((token) => (token.kind === 'day' ? [token.day] : []));
  const at = tokens.findIndex(({ kind }) => kind === 'month');
  const month = tokens[at];
  if (month?.kind !== 'month') {
    const [day = null] = days;
    return days.length > 1 ? null : { rest: tokens.filter(({ kind }) => kind !== 'day'), day };
  }
  if (days.length > 0 || tokens.filter(({ kind }) => kind === 'month').length > 1) return null;
  const today = calendarDay(calendar.now, calendar.zone);
  // `24 Nov 2026` or `Nov 24 2026`; a number after a currency is an amount.
  const [first, last] = isDayOfMonth(tokens[at - 1]) && tokens[at - 2]?.kind !== 'currency' ? [at - 1, at] : [at, at + 1];
  const number = first < at ? tokens[first] : tokens[last];
  if (number?.kind !== 'number' || !isDayOfMonth(number)) return null;
  const after = tokens[last + 1];
  const year = isYear(after, today) ? after.digits : null;
  const day = completeDay(Number(number.digits), month.month, year, today);
  if (day === null) return null;
  return { rest: tokens.toSpliced(first, last - first + 1 + (year === null ? 0 : 1)), day };
}

function isDayOfMonth(token: Token | undefined): boolean {
  return token?.kind === 'number' && !token.sure && /^(?:0?[1-9]|[12]\d|3[01])$/.test(token.digits);
}

/** Years to come are amounts. */
function isYear(token: Token | undefined, today: string): token is NumberToken {
  return token?.kind === 'number' && !token.sure && /^20\d{2}$/.test(token.digits) && token.digits <= today.slice(0, 4);
}
