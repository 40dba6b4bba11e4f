/** The bank's text of a line. */
interface Text {
  readonly text: string;
}

/** True if the bank's text names the payout's gateway. */
export function namesGateway({ text }: Text, { gateway }: { readonly gateway: string }): boolean {
  return text.toUpperCase().includes(gateway.toUpperCase());
}

/** True if a credit names a gateway of which payouts were known on its day. */
export function isOfGateway(
  credit: Text & { readonly bookedOn: string },
  gateway: string,
  firstPayouts: ReadonlyMap<string, string>,
): boolean {
  const first = firstPayouts.get(gateway);
  return first !== undefined && credit.bookedOn >= first && namesGateway(credit, { gateway });
}
