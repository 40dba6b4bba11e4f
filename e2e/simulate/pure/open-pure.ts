import type { SourceEdit } from '../kernel/code.ts';
import { bundleWithoutOutside } from '../model/open-model.ts';

/** The product's decisions, as the worlds call them. */
export type Product = typeof import('./product-entry.ts');

/** Bundles and evaluates the product's decisions, with these edits of their sources, which reach no file. */
export async function openProduct(edits: readonly SourceEdit[] = []): Promise<Product> {
  const code = await bundleWithoutOutside(new URL('product-entry.ts', import.meta.url).pathname, edits);
  // Decisions take time and chance as arguments: they run on this process's own globals.
  return code.evaluate({ globals: { ...globalThis, ...OWN }, modules: {} }, {}) as Product;
}

const OWN = {
  globalThis,
  global: globalThis,
  Date,
  Math,
  performance,
  process,
  crypto,
  AbortSignal,
  fetch,
  setTimeout,
  clearTimeout,
};
