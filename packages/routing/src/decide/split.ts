import type { CustomerDraw } from '../types.ts';

/**
 * Where a payment falls on [0, 1) for one question (`salt`): the same for ever, uniform over payment ids, and independent
 * between salts. FNV-1a over the code units, then a 32-bit finaliser, because ids that share a prefix must not clump.
 */
export function drawOf(paymentId: string, salt: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < salt.length; index += 1) hash = Math.imul(hash ^ salt.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ 0xff, 0x01000193);
  for (let index = 0; index < paymentId.length; index += 1) hash = Math.imul(hash ^ paymentId.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 0x1_0000_0000;
}

/** True for `percent` of all payment ids. */
export function fallsWithin(paymentId: string, salt: string, percent: number): boolean {
  return drawOf(paymentId, salt) * 100 < percent;
}

/** The one spelling of a customer's e-mail address, by which customers are drawn and counted. */
export function customerAddress(email: string): string {
  return email.trim().normalize('NFC').toLowerCase();
}

/** True for the customers of a draw. */
export function isDrawn({ salt, percent }: CustomerDraw, email: string): boolean {
  return fallsWithin(customerAddress(email), salt, percent);
}

/**
 * Orders members by drawing without replacement in proportion to their weights. The first has exactly its share of payments;
 * should it be out, its share goes to the others in proportion, and no other payment changes its place.
 * Members of weight 0 come last, in the order given.
 */
export function drawOrder<T>(members: readonly { readonly member: T; readonly weight: number }[], paymentId: string): T[] {
  const left = [...members];
  const order: T[] = [];
  for (let round = 0; left.length > 0; round += 1) {
    const index = pickByWeight(left, drawOf(paymentId, `split:${round}`));
    for (const { member } of left.splice(index, 1)) order.push(member);
  }
  return order;
}

function pickByWeight(members: readonly { readonly weight: number }[], draw: number): number {
  let total = 0;
  for (const { weight } of members) total += weight;
  let reach = draw * total;
  for (const [index, { weight }] of members.entries()) {
    if (reach < weight) return index;
    reach -= weight;
  }
  return 0;
}
