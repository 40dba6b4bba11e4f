/* Setup of every world's database. Bundled with the product's own use cases. */

export { setUp } from './set-up.ts';
