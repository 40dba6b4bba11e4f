import type { SettlementMapping, WordMeaning } from './mapping.ts';
import { isEitherWay } from './read-time.ts';

/** Words that gateways have for kinds of lines, the narrower first. A person confirms what is proposed by them. */
const MEANINGS: readonly (readonly [RegExp, WordMeaning])[] = [
  [/charge ?back.*(revers|return|won)|(revers|return).*charge ?back/, 'chargeback_returned'],
  [/charge ?back|dispute/, 'chargeback'],
  [/(fee|charge|commission).*(revers|refund|return)/, 'fee_returned'],
  [/refund.*(revers|return|fail|cancel)/, 'refund_returned'],
  [/refund/, 'refund'],
  [/adjust/, 'adjustment'],
  [/duty|levy|\btax\b/, 'other'],
  [/fee|commission|\bvat\b/, 'fee'],
  [/total|balance/, 'skip'],
  [/payment|sale|purchase|collection|pay-?in|charge/, 'payment'],
];

/** The meaning of each word; null where one of them has none that is known. */
export function guessKinds(words: readonly string[]): SettlementMapping['kinds'] | null {
  const meanings = words.flatMap((word): (readonly [string, WordMeaning])[] => {
    const [, meaning] = MEANINGS.find(([pattern]) => pattern.test(word)) ?? [];
    return meaning === undefined ? [] : [[word, meaning]];
  });
  return words.length > 0 && meanings.length === words.length ? Object.fromEntries(meanings) : null;
}

/** Which way an amount went by each word; null where one of them says nothing of it. */
export function guessDirections(words: readonly string[]): SettlementMapping['directions'] | null {
  const directions = words.flatMap((word): (readonly [string, 'credit' | 'debit'])[] => {
    if (/^(c|cr|cr\.|crdt|credit|deposit|\+)$/.test(word)) return [[word, 'credit']];
    return /^(d|dr|dr\.|db|dbit|debit|withdrawal|-)$/.test(word) ? [[word, 'debit']] : [];
  });
  return words.length > 0 && directions.length === words.length ? Object.fromEntries(directions) : null;
}

/** The order of day and month: the month first where a date cannot be otherwise. */
export function guessDates(texts: readonly string[]): SettlementMapping['dates'] {
  const firsts = texts.filter((text) => isEitherWay(text) === false).map((text) => Number(/\d+/.exec(text)?.[0]));
  return firsts.length > 0 && firsts.every((first) => first <= 12) ? 'month_first' : 'day_first';
}

/** The mark before the decimals of most amounts that have two. */
export function guessDecimalMark(texts: readonly string[]): SettlementMapping['decimalMark'] {
  const count = (pattern: RegExp) => texts.filter((text) => pattern.test(text)).length;
  return count(/\d,\d{2}\D*$/) > count(/\d\.\d{2}\D*$/) ? ',' : '.';
}
