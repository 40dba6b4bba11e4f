/** `Rule 2, Large cards: 1 of 5.` of an entry at a place, from 0. */
export function placeText(name: string, at: number, count: number): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${at + 1} of ${count}.`;
}
