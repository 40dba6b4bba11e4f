/** How many gateways have a colour of their own; `tokens.css` names them `--gateway-1` to `--gateway-6`. */
export const GATEWAY_COLOURS = 6;

/** Chosen so that the gateways there are differ; any other name gets one of the same colours. */
const HASH_FACTOR = 1_655;
const HASH_MODULUS = 9_973;

/** The number of a gateway's colour, the same on every page and for ever. */
export function gatewayColour(gateway: string): number {
  let sum = 0;
  for (const character of gateway) sum = (sum * HASH_FACTOR + (character.codePointAt(0) ?? 0)) % HASH_MODULUS;
  return 1 + (sum % GATEWAY_COLOURS);
}

/** Values for `data-*` or a style attribute: the strong colour, and the fill that carries ink. */
export function gatewayTokens(gateway: string): { readonly strong: string; readonly soft: string } {
  const colour = gatewayColour(gateway);
  return { strong: `var(--gateway-${colour})`, soft: `var(--gateway-${colour}-soft)` };
}
