/* Checks of our records by the product's own tools. Bundled as they are, and evaluated beside the processes of a world. */

export { verifyRecords } from './verify-records.ts';
