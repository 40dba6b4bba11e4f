import * as product from './product-entry.ts';

/** The product's decisions, as the worlds call them. */
export type Product = typeof product;

export { product };
