import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GATEWAY_COLOURS, gatewayColour } from './gateway-colours.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const [light = '', dark = ''] = css.split(':root[data-colour-scheme="dark"]');

function tokensOf(block: string): ReadonlyMap<string, string> {
  return new Map(Array.from(block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g), ([, name = '', value = '']) => [name, value]));
}

/** Contrast of two colours as WCAG counts it. */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const [red = 0, green = 0, blue = 0] = [1, 3, 5]
      .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
      .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (bright + 0.05) / (dim + 0.05);
}

describe.each([
  ['light', tokensOf(light)],
  ['dark', tokensOf(dark)],
])('in the %s theme', (_, tokens) => {
  const value = (name: string) => tokens.get(name) ?? `there is no --${name}`;
  const numbers = Array.from({ length: GATEWAY_COLOURS }, (_none, index) => index + 1);

  test.each(numbers)('gateway colour %i shows on the ground and on its own fill', (number) => {
    expect(contrast(value(`gateway-${number}`), value('ground'))).toBeGreaterThanOrEqual(3);
    expect(contrast(value(`gateway-${number}`), value(`gateway-${number}-soft`))).toBeGreaterThanOrEqual(3);
  });

  test.each(numbers)('text can be read on the fill of gateway colour %i', (number) => {
    for (const ink of ['ink', 'ink-quiet']) {
      expect(contrast(value(ink), value(`gateway-${number}-soft`))).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('no gateway wears a colour that means good, waiting or bad', () => {
    const meanings = ['good', 'wait', 'bad', 'accent'].map(value);
    for (const number of numbers) expect(meanings).not.toContain(value(`gateway-${number}`));
  });
});

test('a gateway has one colour, and the common gateways of Nigeria differ', () => {
  const common = ['paystack', 'flutterwave', 'monnify', 'kora', 'squad', 'interswitch'].map(gatewayColour);
  expect(new Set(common).size).toBe(GATEWAY_COLOURS);
  fc.assert(
    fc.property(fc.string(), (name) => {
      const colour = gatewayColour(name);
      expect(Number.isInteger(colour) && colour >= 1 && colour <= GATEWAY_COLOURS).toBe(true);
      expect(gatewayColour(name)).toBe(colour);
    }),
  );
});
