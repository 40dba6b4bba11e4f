import { addDays, calendarDay } from '@switchyard/runtime/calendar-days';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch, type SearchedFacts } from './parse-search.ts';

const LAGOS = { now: new Date('2026-11-26T23:30:00Z'), zone: 'Africa/Lagos' };
/** 00:30 on the 27th in Lagos. */
const TODAY = '2026-11-27';

/** Facts in short: `NGN 2500 •4081 2026-11-24`. */
function inShort({ amount, currency, cardLast4, created }: SearchedFacts): string {
  const day = created === null ? null : calendarDay(created.from, LAGOS.zone);
  if (created !== null) expect(created.to.getTime() - created.from.getTime()).toBe(86_400_000);
  return [currency, amount, cardLast4 === null ? null : `•${cardLast4}`, day].filter((part) => part !== null).join(' ');
}
const read = (text: string) => parseSearch(text, LAGOS).map(inShort);

test.each([
  ['2500 2026-11-24', ['2500 2026-11-24', '•2500 2026-11-24']],
  ['2,500 yesterday', ['2500 2026-11-26']],
  ['NGN 2500 24 Nov', ['NGN 2500 2026-11-24']],
  ['ngn2500 nov 24', ['NGN 2500 2026-11-24']],
  ['₦2,500 Today', ['NGN 2500 2026-11-27']],
  ['24th November 2025, NGN 1,250,000.00', ['NGN 1250000 2025-11-24']],
  ['24/11 $40', ['USD 40 2026-11-24']],
  ['24.11.2025 12500', ['12500 2025-11-24']],
  ['25 Dec 300', ['300 2025-12-25']],
  ['29 Feb 300', ['300 2024-02-29']],
  ['3 Nov 2027', ['2027 2026-11-03', '•2027 2026-11-03']],
  ['3 Nov 2026 2500', ['2500 2026-11-03', '•2500 2026-11-03']],
  ['•••• 4081', ['•4081']],
  ['****4081', ['•4081']],
  ['xxxx4081', ['•4081']],
  ['4081 yesterday', ['4081 2026-11-26', '•4081 2026-11-26']],
  ['4081 2500', ['4081 •2500', '2500 •4081']],
  ['4081 2,500', ['2500 •4081']],
  ['4081 NGN 25000 24 Nov', ['NGN 25000 •4081 2026-11-24']],
  ['•••• 4081 NGN 2500 24 Nov', ['NGN 2500 •4081 2026-11-24']],
  ['2,500', ['2500']],
  ['NGN 2500', ['NGN 2500']],
])('%j is %j', (text, facts) => {
  expect(read(text)).toEqual(facts);
});

test.each([
  '',
  '4081',
  '2500',
  '08031234567',
  '0803 123 4567',
  'ORD-2500',
  'ord-2500 24 Nov',
  'ada@example.com 2500',
  'yesterday',
  '24 Nov',
  'Nov',
  'NGN',
  'NGN yesterday',
  '2500 31 Feb',
  '2500 2026-02-31',
  '2500 24 Nov 25 Nov',
  '2500 today yesterday',
  '1 2 3',
  '1,23',
  '2500.50',
  '2500 NGN USD',
  '4084084084084081',
  'March',
  'may I',
])('%j names no facts of a payment', (text) => {
  expect(read(text)).toEqual([]);
});

const amount = fc.bigInt({ min: 1n, max: 999_999_999_999n });
const grouped = (value: bigint) => value.toLocaleString('en');
const currency = fc.constantFrom('NGN', 'USD', 'GHS', 'KES');
const day = fc.integer({ min: 0, max: 360 }).map((ago) => addDays(TODAY, -ago));
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
/** A day in any of the ways it is written. */
const written = fc.tuple(day, fc.nat(6)).map(([of, way]) => {
  const [year = '', month = '', date = ''] = of.split('-');
  const name = MONTHS[Number(month) - 1] ?? '';
  const ways = [
    of,
    `${Number(date)} ${name}`,
    `${Number(date)} ${name.slice(0, 3)} ${year}`,
    `${name} ${Number(date)}`,
    `${date}/${month}`,
    `${date}.${month}.${year}`,
    `${name.slice(0, 3).toUpperCase()} ${date} ${year}`,
  ];
  return { of, text: ways[way] ?? of };
});

describe('what was typed is read back', () => {
  test('an amount with its currency and a day, in either order', () => {
    fc.assert(
      fc.property(amount, currency, written, fc.boolean(), (value, code, { of, text }, dayFirst) => {
        const money = `${code} ${grouped(value)}`;
        expect(read(dayFirst ? `${text} ${money}` : `${money} ${text}`)).toEqual([`${code} ${value} ${of}`]);
      }),
    );
  });

  test('the last four digits of a card, with an amount and a day or without', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^\d{4}$/),
        amount,
        written,
        fc.constantFrom('•••• ', '****', 'xxxx'),
        (last4, value, { of, text }, mask) => {
          expect(read(`${mask}${last4}`)).toEqual([`•${last4}`]);
          expect(read(`${mask}${last4} NGN ${grouped(value)} ${text}`)).toEqual([`NGN ${value} •${last4} ${of}`]);
          expect(read(`${text}, ${mask}${last4}`)).toEqual([`•${last4} ${of}`]);
        },
      ),
    );
  });
});

test('no text fails, is read in more than two ways, or gives a fact that is out of bounds', () => {
  const words = fc.array(
    fc.oneof(
      fc.string(),
      fc.constantFrom('24', 'Nov', '2026', '2,500', 'NGN', 'today', '••••', '4081', '31/02'),
      fc.nat().map(String),
    ),
    {
      maxLength: 6,
    },
  );
  fc.assert(
    fc.property(words, fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (parts, now) => {
      const found = parseSearch(parts.join(' '), { now, zone: 'Africa/Lagos' });
      expect(found.length).toBeLessThanOrEqual(2);
      for (const { amount: value, cardLast4, currency: code, created } of found) {
        expect(value !== null || cardLast4 !== null).toBe(true);
        expect(value ?? 0n).toBeLessThan(10n ** 12n);
        expect(cardLast4 ?? '0000').toMatch(/^\d{4}$/);
        if (code !== null) expect(value).not.toBeNull();
        if (created !== null) expect(created.to.getTime()).toBeGreaterThan(created.from.getTime());
      }
    }),
  );
});
