/** How many gateways have a colour of their own; `tokens.css` names them `--gateway-1` to `--gateway-6`. */
export const GATEWAY_COLOURS = 6;

/** Common gateways have a colour each; the others share the rest. */
const KNOWN: ReadonlyMap<string, number> = new Map([
  ['paystack', 1],
  ['flutterwave', 2],
]);

/** The number of a gateway's colour, the same on every page and for ever. */
export function gatewayColour(gateway: string): number {
  const known = KNOWN.get(gateway);
  if (known !== undefined) return known;
  const taken = KNOWN.size;
  let sum = 0;
  for (const character of gateway) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 9_973;
  return taken + 1 + (sum % (GATEWAY_COLOURS - taken));
}

/** What `data-*` or a style attribute takes: the strong colour, and the fill that carries ink. */
export function gatewayTokens(gateway: string): { readonly strong: string; readonly soft: string } {
  const colour = gatewayColour(gateway);
  return { strong: `var(--gateway-${colour})`, soft: `var(--gateway-${colour}-soft)` };
}
