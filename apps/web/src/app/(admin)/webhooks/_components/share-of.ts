/** Which share of tries was answered 2xx: never rounded up to all. */
export function shareOf({ tries, delivered }: { readonly tries: number; readonly delivered: number }): string {
  if (tries === 0) return '–';
  return `${Math.floor((delivered / tries) * 1_000) / 10}%`;
}
