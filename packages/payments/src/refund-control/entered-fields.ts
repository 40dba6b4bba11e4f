/**
 * Fields that staff enter about control over refunds. Forms check it in the browser by the same schemas, so that this entry imports nothing
 * but zod.
 */
export { reasonCodeSchema, refundControlSettings } from './control-fields.ts';
