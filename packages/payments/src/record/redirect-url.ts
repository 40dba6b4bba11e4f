/**
 * The URL a customer is redirected to: `paymentId` is set in the query, see {@link withQuery}.
 */
export function withPaymentId(address: string, paymentId: string): string {
  return withQuery(address, { paymentId });
}

/**
 * An address with parameters set in its query (existing ones of the same names are replaced); everything else stays byte for byte as
 * the merchant wrote it, the fragment too; only non-ASCII characters, which a `Location` header cannot contain, are encoded as a browser
 * would.
 */
export function withQuery(address: string, parameters: Readonly<Record<string, string>>): string {
  const [beforeFragment = '', ...fragment] = splitOnce(inAscii(address), '#');
  const [path = '', query] = splitOnce(beforeFragment, '?');
  const remaining = (query ?? '').split('&').filter((pair) => pair !== '' && !namesAny(pair, parameters));
  const added = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${[...remaining, ...added].join('&')}${fragment.length === 0 ? '' : `#${fragment[0]}`}`;
}

function inAscii(address: string): string {
  return /^[\x21-\x7e]*$/.test(address) ? address : new URL(address).href;
}

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function namesAny(pair: string, parameters: Readonly<Record<string, string>>): boolean {
  return [...new URLSearchParams(pair).keys()].some((name) => Object.hasOwn(parameters, name));
}
