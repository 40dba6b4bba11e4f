import { isDay } from '@switchyard/runtime/calendar-days';

/** Shorter references are parts of other numbers. */
const REFERENCE_MIN = 5;

/** Letters and digits of a text in upper case, in words. */
export function wordsOf(text: string): string[] {
  return text
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The words by which a bank's text names a payout; none where its reference is short or a day, which are in many texts. */
export function namingWords({ reference }: { readonly reference: string }): readonly string[] {
  const words = wordsOf(reference);
  return words.join('').length < REFERENCE_MIN || isDay(reference.trim()) ? [] : words;
}

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
