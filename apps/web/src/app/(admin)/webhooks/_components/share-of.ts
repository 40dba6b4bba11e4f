/** The share of delivery attempts answered 2xx; never rounded up to 100 %. */
export function shareOf({ attempts, delivered }: { readonly attempts: number; readonly delivered: number }): string {
  if (attempts === 0) return '–';
  return `${Math.floor((delivered / attempts) * 1_000) / 10}%`;
}
