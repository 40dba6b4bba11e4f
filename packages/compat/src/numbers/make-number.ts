import { randomInt } from 'node:crypto';

/** 2024-01-01, from which the time in a number is counted. */
const EPOCH_MS = Date.UTC(2024, 0, 1);
const RANDOM_VALUES = 2 ** 11;

/**
 * A number for an object, in the form gateways number theirs: it grows with time and is a safe integer until 2093. The time in
 * milliseconds comes first, so that new rows stay together in the index; 11 random bits follow.
 */
export function makeNumber(at: Date, random: (values: number) => number = randomInt): number {
  return (at.getTime() - EPOCH_MS) * RANDOM_VALUES + random(RANDOM_VALUES);
}

/** A number in a request, of any form, or null. */
export function readNumber(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{1,16}$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : null;
}
