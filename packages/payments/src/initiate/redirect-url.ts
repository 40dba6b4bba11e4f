/**
 * The URL a customer is redirected to: `paymentId` is set in the query (an existing one is replaced), everything else stays byte
 * for byte as the merchant wrote it, the fragment too; only non-ASCII characters, which a `Location` header cannot contain, are
 * encoded as a browser would.
 */
export function withPaymentId(address: string, paymentId: string): string {
  const [beforeFragment = '', ...fragment] = splitOnce(inAscii(address), '#');
  const [path = '', query] = splitOnce(beforeFragment, '?');
  const remaining = (query ?? '').split('&').filter((pair) => pair !== '' && !namesPaymentId(pair));
  const search = [...remaining, `paymentId=${encodeURIComponent(paymentId)}`].join('&');
  return `${path}?${search}${fragment.length === 0 ? '' : `#${fragment[0]}`}`;
}

function inAscii(address: string): string {
  return /^[\x21-\x7e]*$/.test(address) ? address : new URL(address).href;
}

function splitOnce(text: string, at: string): string[] {
  const index = text.indexOf(at);
  return index === -1 ? [text] : [text.slice(0, index), text.slice(index + 1)];
}

function namesPaymentId(pair: string): boolean {
  return [...new URLSearchParams(pair).keys()].includes('paymentId');
}
