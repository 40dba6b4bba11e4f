import { readFileSync } from 'node:fs';
import { faultKinds, gatewayNames, simulators, type TestCard } from '@switchyard/sandbox';
import { test } from 'vitest';
import { expectKept } from './stable-values.ts';

const FILE = new URL('../../apps/web/src/app/docs/_content/sandbox.json', import.meta.url);

/** A card as the documentation lists it. */
function shown({ name, number, cvv, pin, otp }: TestCard) {
  return { name, number, cvv, pin: pin ?? null, otp: otp ?? null };
}

test('the documentation lists every test card and every fault of the sandbox', () => {
  const gateways = gatewayNames.map((name) => {
    const { title, cards } = simulators[name];
    return { name, title, cards: cards.map(shown) };
  });
  const faults = Object.entries(faultKinds).map(([kind, does]) => ({ kind, does }));
  expectKept(JSON.parse(readFileSync(FILE, 'utf8')), { gateways, faults }, FILE);
});
