import { beforeEach, expect, test } from 'vitest';
import { createProbeSlots, type ProbeSlots } from './local-health.ts';

const EVERY_MS = 5_000;

let now: number;
let slots: ProbeSlots;
beforeEach(() => {
  now = 1_000_000;
  slots = createProbeSlots(() => now);
});

test('an account has one probe payment at a time, and the next a pause after the last began', () => {
  expect(slots.claim('paystack', EVERY_MS)).toBe(true);
  expect(slots.claim('paystack', EVERY_MS)).toBe(false);
  expect(slots.claim('monnify', EVERY_MS)).toBe(true);
  slots.release('paystack', now);
  now += EVERY_MS - 1;
  expect(slots.isFree('paystack', EVERY_MS)).toBe(false);
  now += 1;
  expect(slots.isFree('paystack', EVERY_MS)).toBe(true);
  expect(slots.claim('paystack', EVERY_MS)).toBe(true);
});

test('the slot is held until its own payment has ended: an opening from before it releases nothing', () => {
  slots.claim('paystack', EVERY_MS);
  slots.release('paystack', now - 1);
  now += EVERY_MS;
  expect(slots.isFree('paystack', EVERY_MS)).toBe(false);
  slots.release('paystack', now);
  expect(slots.isFree('paystack', EVERY_MS)).toBe(true);
});

test('a slot whose payment never reached its opening is free again after half a minute, or a longer pause', () => {
  slots.claim('paystack', EVERY_MS);
  slots.claim('monnify', 60_000);
  now += 29_999;
  expect(slots.isFree('paystack', EVERY_MS)).toBe(false);
  now += 1;
  expect(slots.isFree('paystack', EVERY_MS)).toBe(true);
  expect(slots.isFree('monnify', 60_000)).toBe(false);
  now += 30_000;
  expect(slots.isFree('monnify', 60_000)).toBe(true);
});
