'use client';

import { useState } from 'react';

/**
 * Items in the order in which they were first shown, new ones at the end: live data sorts them anew with every change of state, and a
 * button that moves under the pointer is pressed for another item.
 */
export function useSteadyOrder<Item>(items: readonly Item[], idOf: (item: Item) => string): readonly Item[] {
  const [order, setOrder] = useState<readonly string[]>([]);
  const byId = new Map(items.map((item) => [idOf(item), item]));
  const next = [...new Set([...order.filter((id) => byId.has(id)), ...byId.keys()])];
  if (next.join() !== order.join()) setOrder(next);
  return next.flatMap((id) => byId.get(id) ?? []);
}
