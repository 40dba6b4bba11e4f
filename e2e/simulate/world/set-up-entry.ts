/* What the database of every world begins with. Bundled with the product's own use cases. */

export { setUp } from './set-up.ts';
