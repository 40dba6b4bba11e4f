/**
 * Fields that people enter on the dashboard, as the procedures read them. Forms check them in the browser by the same schemas, so that this
 * entry and what it exports import nothing but zod.
 */
import * as z from 'zod/mini';

export {
  accountCode,
  accountName,
  BOOK_ACCOUNTS,
  type BookAccountName,
  POSTING_NAMES,
  SOFTWARE,
  SOFTWARE_NAMES,
  type Software,
  taxRate,
  trackingCategory,
  trackingClass,
} from '@switchyard/accounting/entered-fields';
export { keyNameSchema, merchantSettings } from '@switchyard/merchants/entered-fields';
export { reasonCodeSchema, refundControlSettings } from '@switchyard/payments/entered-fields';
export { scheduleFields } from '@switchyard/scheduled-reports/entered-fields';
export { staffEmail, staffName, TOKEN_SCOPES, tokenScopes } from '@switchyard/staff/entered-fields';

/** Text that PostgreSQL can store, trimmed; may be empty. */
export function enteredText(maxLength: number) {
  return z.string().check(
    z.trim(),
    z.maxLength(maxLength, `must be at most ${maxLength} characters long`),
    z.refine((text) => !text.includes('\u0000') && text.isWellFormed(), 'must be plain text'),
  );
}

/** The same, of at least one character. */
export function requiredText(maxLength: number) {
  return enteredText(maxLength).check(z.minLength(1, 'must not be empty'));
}

/** Reason of a decision about money. */
export const decisionNote = requiredText(500);

/** Reason that a discrepancy is closed for. */
export const resolutionReason = requiredText(2_000);

/** Reason that what was recorded by mistake is corrected for. */
export const correctionReason = requiredText(1_000);

export const overrideReason = requiredText(500);

/** Reason that rules are published or rolled back for: the history is read by it. */
export const publicationReason = requiredText(1_000);

/** Note of staff on a payment. */
export const paymentNote = requiredText(2_000);

/** Note of staff on an incident. */
export const incidentNote = requiredText(2_000);

/** Conclusions from an incident. */
export const postMortemText = requiredText(20_000);

/** Note of who reviewed a closed month; may be empty. */
export const reviewNote = enteredText(1_000);

/** Name of a saved view. */
export const viewName = requiredText(60);

/** Reason of a refund, which the gateway gets too. */
export const refundReason = enteredText(200);

/** Texts for the gateway and the bank in an answer to a dispute. */
export const disputeMessage = requiredText(1_000);

/** A name, or what was bought, that a gateway asks for with an answer. */
export const disputeFact = requiredText(200);

/** A disputed amount of the main unit, with kobo where it has them. */
export const disputedAmount = z.string().check(z.regex(/^\d{1,12}(\.\d{1,2})?$/, 'must be an amount, such as 2500 or 1000.5'));

/** A decimal of the main unit with at most six decimal places. */
export const toleranceText = z.string().check(z.regex(/^\d{1,7}(\.\d{1,6})?$/, 'must be an amount, such as 50 or 0.5'));

/** Bounds of a settlement calendar. */
interface CalendarLimits {
  readonly workingDaysMax: number;
  readonly graceDaysMax: number;
  readonly holidaysMax: number;
  readonly toleranceMinutesMax: number;
}

const count = (max: number) => z.number().check(z.int(), z.minimum(0), z.maximum(max, `must be at most ${max}`));

/** How near the money at the bank has to be to a payout, as staff enter it. */
export function bankMatching({ daysMax, workingDaysMax }: { readonly daysMax: number; readonly workingDaysMax: number }) {
  return z.object({ tolerance: toleranceText, days: count(daysMax), workingDays: count(workingDaysMax) });
}

/** When an account's money is expected, as staff enter it. */
export function settlementCalendar({ workingDaysMax, graceDaysMax, holidaysMax, toleranceMinutesMax }: CalendarLimits) {
  return z.object({
    workingDays: count(workingDaysMax),
    holidays: z.array(z.iso.date()).check(z.maxLength(holidaysMax, `must be at most ${holidaysMax} days`)),
    graceDays: count(graceDaysMax),
    tolerance: toleranceText,
    toleranceMinutes: count(toleranceMinutesMax),
  });
}
